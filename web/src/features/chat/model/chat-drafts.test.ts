import { beforeEach, expect, test, vi } from 'vitest'
import { countDrafts } from '#lib/forms/drafts.ts'
import { connectSupabase } from '#lib/server/supabase-connection.ts'
import { aSession, fakeBackend } from '../../../../testing/fake-backend.ts'
import { aChat } from './chat-builders.ts'
import {
  changeDraft,
  draftChanged,
  draftNameOf,
  leaveDraft,
  meetDrafts,
  saveDrafts,
  watchDraft,
} from './chat-drafts.ts'

const SAVE = 'POST /rest/v1/rpc/save_draft'
const LOAD = 'GET /rest/v1/chat_drafts?'
const EARLIER = '2026-11-20T09:00:00+00:00'
const LATER = '2026-11-20T09:05:00+00:00'

let chatId: string
let draft: () => string | null
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
  chatId = crypto.randomUUID()
  draft = () => localStorage.getItem(`draft:${draftNameOf('maya', chatId)}`)
})

function connect(responses: Parameters<typeof fakeBackend>[0]) {
  const calls = fakeBackend(responses)
  localStorage.setItem('member-session', JSON.stringify(aSession()))
  connectSupabase({ supabaseUrl: 'http://backend.test', supabaseKey: 'key' })
  return () => calls.filter(({ path }) => path.endsWith('save_draft')).map(({ body }) => body)
}
const type = (text: string) => changeDraft('maya', chatId, text)
const listedWith = (text: string, at: string) =>
  meetDrafts('maya', [aChat({ chat_id: chatId, draft: text, draft_at: at })])

test('what is typed is kept at once, and saved once after a pause, with its age', async () => {
  const saved = connect({ [SAVE]: { body: EARLIER } })
  type('Half')
  type('Half a thought')
  expect(draft()).toBe('Half a thought')
  expect(countDrafts('maya')).toBe(1)
  await vi.advanceTimersByTimeAsync(1_500)
  await vi.waitFor(() => expect(countDrafts('maya')).toBe(0))
  expect(saved()).toMatchObject([{ chat_id: chatId, message: 'Half a thought' }])
  expect(saved()[0]?.age_ms).toBeGreaterThanOrEqual(1_500)
  leaveDraft('maya', chatId)
  saveDrafts('maya')
  await vi.advanceTimersByTimeAsync(5_000)
  expect(saved()).toHaveLength(1)
})

test('what could not be saved is saved later, with the age it has then', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  let isDown = true
  const saved = connect({
    [SAVE]: () =>
      Promise.resolve(isDown ? { status: 503, body: { message: 'Away' } } : { body: EARLIER }),
  })
  type('On the train')
  leaveDraft('maya', chatId)
  await vi.waitFor(() => expect(saved()).toHaveLength(1))
  isDown = false
  await vi.advanceTimersByTimeAsync(600_000)
  saveDrafts('maya')
  await vi.waitFor(() => expect(countDrafts('maya')).toBe(0))
  expect(saved().at(-1)?.age_ms).toBeGreaterThanOrEqual(600_000)
})

test('a draft of another device appears here, and goes once it is sent there', () => {
  connect({})
  const changed = vi.fn()
  watchDraft(draftNameOf('maya', chatId), changed)
  listedWith('From the phone', EARLIER)
  expect(draft()).toBe('From the phone')
  expect(changed).toHaveBeenCalledOnce()
  listedWith('', LATER)
  expect(draft()).toBeNull()
  // A copy of the list that is older than what is here.
  listedWith('From the phone', EARLIER)
  expect(draft()).toBeNull()
})

test('another device’s draft waits while somebody types here', async () => {
  connect({ [SAVE]: { body: EARLIER } })
  type('At my desk')
  await vi.advanceTimersByTimeAsync(1_500)
  await vi.waitFor(() => expect(countDrafts('maya')).toBe(0))
  listedWith('From the phone', LATER)
  expect(draft()).toBe('At my desk')
  await vi.advanceTimersByTimeAsync(30_000)
  expect(draft()).toBe('From the phone')
})

test('of two texts, the one that was typed later stays, as the server says', async () => {
  const theirs = { message: 'Typed later on the phone', written_at: LATER }
  connect({ [SAVE]: { body: null }, [LOAD]: { body: theirs } })
  type('Typed earlier, not saved')
  leaveDraft('maya', chatId)
  await vi.waitFor(() => expect(draft()).toBe(theirs.message))
})

test('this device does not read again what it saved itself', async () => {
  let device: unknown
  const load = vi.fn(() => Promise.resolve({ body: null }))
  const saved = connect({ [SAVE]: { body: EARLIER }, [LOAD]: load })
  type('Mine')
  leaveDraft('maya', chatId)
  await vi.waitFor(() => expect(saved()).toHaveLength(1))
  device = saved()[0]?.device
  await draftChanged('maya', { chat_id: chatId, device })
  expect(load).not.toHaveBeenCalled()
  device = 'another'
  await draftChanged('maya', { chat_id: chatId, device })
  expect(load).toHaveBeenCalledOnce()
})

test('a text sent while its draft was being saved does not come back with the chat list', async () => {
  const pending: ((at: string) => void)[] = []
  const saved = connect({
    [SAVE]: () => new Promise((resolve) => pending.push((at) => resolve({ body: at }))),
  })
  type('See you at nine')
  await vi.advanceTimersByTimeAsync(1_500)
  await vi.waitFor(() => expect(pending).toHaveLength(1))
  type('')
  listedWith('See you at nine', EARLIER)
  expect(draft()).toBeNull()
  pending[0]?.(EARLIER)
  await vi.waitFor(() => expect(pending).toHaveLength(2))
  listedWith('See you at nine', EARLIER)
  pending[1]?.(LATER)
  await vi.waitFor(() => expect(saved()).toHaveLength(2))
  expect(saved()[1]).toMatchObject({ message: '' })
  expect(draft()).toBeNull()
})

test('a text sent after the response to saving its draft was lost does not come back either', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  let response: { status?: number; body: unknown } = { status: 503, body: { message: 'Away' } }
  const saved = connect({ [SAVE]: () => Promise.resolve(response) })
  type('See you at nine')
  leaveDraft('maya', chatId)
  await vi.waitFor(() => expect(saved()).toHaveLength(1))
  type('')
  response = { body: LATER }
  listedWith('See you at nine', EARLIER)
  expect(draft()).toBeNull()
  await vi.waitFor(() => expect(saved()).toHaveLength(2))
  expect(saved()[1]).toMatchObject({ message: '' })
})
