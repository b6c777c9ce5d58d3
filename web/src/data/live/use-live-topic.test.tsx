import { QueryClient, QueryClientProvider, QueryObserver } from '@tanstack/react-query'
import { renderHook, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { connectSupabase } from '#lib/server/supabase-connection.ts'
import { fakeBackend } from '../../../testing/fake-backend.ts'
import { useLiveTopic } from './use-live-topic.ts'
import { watchTopic } from './watch-topic.ts'

vi.mock('./watch-topic.ts', () => ({ watchTopic: vi.fn(() => () => {}) }))

const TABLES = ['home_content', 'team_notices']
const HOUR_MS = 3_600_000
let client: QueryClient

beforeEach(() => {
  client = new QueryClient()
  vi.mocked(watchTopic).mockClear()
  connectSupabase({ supabaseUrl: 'http://backend.test', supabaseKey: 'sb_publishable_test' })
})

/** Joins the topic; the database says that `changed` changed. */
function join(changed: string[] | null) {
  const calls = fakeBackend({
    'POST /rest/v1/rpc/changed_tables': changed ? { body: changed } : { status: 500 },
  })
  renderHook(() => useLiveTopic('team', TABLES), {
    wrapper: ({ children }) => (
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    ),
  })
  vi.mocked(watchTopic).mock.calls[0]?.[1].onJoined?.()
  return calls
}

function read(table: string, agoMs: number) {
  client.setQueryData([table], {}, { updatedAt: Date.now() - agoMs })
}

const outdated = () =>
  TABLES.filter((table) => client.getQueryState([table])?.isInvalidated === true)

test('after a join, only what changed since it was read is read again', async () => {
  read('home_content', 90_000)
  read('team_notices', 5_000)
  const calls = join(['team_notices', 'schedule_content'])
  await waitFor(() => expect(outdated()).toEqual(['team_notices']))
  // A minute more, because a transaction is stamped before it commits.
  expect(calls[0]?.body.seconds).toBeGreaterThanOrEqual(150)
  expect(calls[0]?.body.seconds).toBeLessThan(160)
  expect(calls).toHaveLength(1)
})

test('with nothing on the screen, nothing is asked', () => {
  expect(join([])).toEqual([])
})

test.each([
  ['was read more than an hour ago', () => read('team_notices', HOUR_MS + 1)],
  ['was read by a clock that was since set back', () => read('team_notices', -60_000)],
])('all is read again if something %s', async (_, readLongAgo) => {
  read('home_content', 0)
  readLongAgo()
  expect(join([])).toEqual([])
  await waitFor(() => expect(outdated()).toEqual(TABLES))
})

test('all is read again if the database does not say', async () => {
  for (const table of TABLES) read(table, 0)
  join(null)
  await waitFor(() => expect(outdated()).toEqual(TABLES))
})

test('what is published to the whole team is outdated at once, and read again within the time it names', async () => {
  let reads = 0
  const query = { queryKey: ['team_notices'], queryFn: () => Promise.resolve(++reads) }
  const stopReading = new QueryObserver(client, query).subscribe(() => undefined)
  await waitFor(() => expect(reads).toBe(1))
  join([])
  vi.useFakeTimers()
  try {
    const published = vi.mocked(watchTopic).mock.calls[0]?.[1]
    published?.onEvent?.('content_changed', { table: 'team_notices', spread_ms: 2000 })
    expect(outdated()).toEqual(['team_notices'])
    expect(reads).toBe(1)
    await vi.advanceTimersByTimeAsync(2000)
    expect(reads).toBe(2)
    published?.onEvent?.('content_changed', { table: 'team_notices' })
    await vi.advanceTimersByTimeAsync(0)
    expect(reads).toBe(3)
  } finally {
    vi.useRealTimers()
    stopReading()
  }
})
