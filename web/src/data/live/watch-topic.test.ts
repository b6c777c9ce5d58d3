import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { realtime } from '#data/supabase.ts'
import { connectSupabase } from '#lib/server/supabase-connection.ts'
import { startLiveServer } from '../../../testing/live-server.ts'
import { watchTopic } from './watch-topic.ts'

type Answer = 'ok' | 'error'

let answers: Map<string, (answer: Answer) => void>
let live: ReturnType<typeof startLiveServer>
let leaves: (() => void)[]
/** Whose listeners know that they are joined, in the order they were told. */
let told: string[]

beforeEach(() => {
  connectSupabase({ supabaseUrl: 'http://backend.test', supabaseKey: 'sb_publishable_test' })
  answers = new Map()
  live = startLiveServer({
    answerJoin: (topic) => new Promise((resolve) => answers.set(topic, resolve)),
  })
  told = []
  leaves = ['a', 'b'].map((topic) =>
    watchTopic(topic, { onJoined: () => told.push(topic), onLeft: () => (told = []) }),
  )
})

afterEach(async () => {
  for (const leave of leaves) leave()
  for (const topic of ['a', 'b'])
    await vi.waitFor(async () => expect(await stateOf(topic)).toBeUndefined())
  vi.unstubAllGlobals()
})

const stateOf = async (topic: string) =>
  (await realtime()).getChannels().find((channel) => channel.subTopic === topic)?.state

/** Lets the topic be joined, or refuses it, and waits until the client knows. */
async function answer(topic: string, status: Answer = 'ok') {
  await vi.waitFor(() => expect(answers.has(topic)).toBe(true))
  answers.get(topic)?.(status)
  answers.delete(topic)
  const state = status === 'ok' ? 'joined' : 'errored'
  await vi.waitFor(async () => expect(await stateOf(topic)).toBe(state), { interval: 5 })
}

test('topics opened together hear that they are joined together, once the last is', async () => {
  await answer('b')
  expect(told).toEqual([])
  await answer('a')
  expect(told).toEqual(['b', 'a'])
})

test('a topic that is refused holds up no other', async () => {
  await answer('a', 'error')
  await answer('b')
  expect(told).toEqual(['b'])
})

test('a topic that is left while it is being joined holds up no other', async () => {
  await vi.waitFor(async () => expect(await stateOf('a')).toBe('joining'))
  leaves[0]?.()
  await vi.waitFor(async () => expect(await stateOf('a')).toBeUndefined())
  await answer('b')
  expect(told).toEqual(['b'])
})

test('a topic whose join is not answered holds up the others for a moment only', async () => {
  await answer('b')
  await vi.waitFor(() => expect(told).toEqual(['b']))
})

test('after the connection was lost, topics hear together that they are joined again', async () => {
  await answer('a')
  await answer('b')
  live.drop()
  expect(told).toEqual([])
  await answer('b')
  expect(told).toEqual([])
  await answer('a')
  expect(told).toEqual(['b', 'a'])
})
