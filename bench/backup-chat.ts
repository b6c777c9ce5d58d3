// A handful of members who chat at a steady rate, whatever else happens, and how long until the others have each message.
import { setTimeout as wait } from 'node:timers/promises'
import { createDriver } from './chat-drivers.ts'
import { chatId, memberId } from './backup-fill.ts'

const CHATTING = 5
const PER_S = 10

export type Chat = {
  /** Samples from now on belong to this phase. */
  begin(phase: string): void
  /** Milliseconds from when a message was due until one of the five had it, by phase. */
  took: Map<string, number[]>
  /** Texts whose storing was acknowledged so far. */
  acknowledged(): string[]
  failed(): number
  end(): Promise<void>
}

/** @param signIn returns the access token of a member */
export async function startChat(
  url: string,
  key: string,
  signIn: (email: string) => Promise<string>,
): Promise<Chat> {
  const took = new Map<string, number[]>()
  const acknowledged: string[] = []
  let samples: number[] = []
  let failed = 0
  let isOver = false
  const seats = await Promise.all(
    Array.from({ length: CHATTING }, async (_, seat) => ({
      id: memberId(seat + 1),
      token: await signIn(`m${seat + 1}@example.com`),
    })),
  )
  const driver = createDriver(
    { kind: 'ours', url, key, chatId: chatId(1), seats },
    { parses: true },
    (sentAt) => sentAt !== null && samples.push(performance.now() - sentAt),
  )
  await Promise.all(seats.map((_, seat) => driver.connect(seat)))

  async function talk() {
    const open = new Set<Promise<void>>()
    const started = performance.now()
    for (let n = 0; !isOver; n++) {
      const due = started + (n * 1000) / PER_S
      await wait(Math.max(0, due - performance.now()))
      const text = `The call at ten is mine, who takes the one at eleven? sent at ${due.toFixed(3)} end`
      const said: Promise<void> = driver
        .say(n % CHATTING, text)
        .then(
          () => void acknowledged.push(text),
          () => void failed++,
        )
        .finally(() => open.delete(said))
      open.add(said)
    }
    await Promise.all(open)
  }
  const talking = talk()
  return {
    begin: (phase) => took.set(phase, (samples = [])),
    took,
    acknowledged: () => [...acknowledged],
    failed: () => failed,
    async end() {
      isOver = true
      await talking
      await wait(1000)
      driver.close()
    },
  }
}
