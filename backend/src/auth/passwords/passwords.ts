// Hashing takes tens of milliseconds of CPU, so it runs on a few threads of its own and does not delay chat.
import { availableParallelism } from 'node:os'
import type { Options } from '@node-rs/argon2'
import { authErrors } from '#auth/errors.ts'
import { LIMITS } from '#auth/limits.ts'
import { networkOf } from '#http/client-address.ts'
import { createHashThreads } from './hash-threads.ts'

/** OWASP's second recommendation; hosted Supabase verifies the same kind. `2` is argon2id. */
const ARGON2ID: Options = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const CURRENT_PREFIX = '$argon2id$v=19$m=19456,t=2,p=1$'
const RETRY_AFTER_SECONDS = 5

/** `who` identifies the caller for fairness, by client address; trusted servers share ''. */
export type Passwords = {
  hash(password: string, who?: string): Promise<string>
  /** `outdated`: the password should be rehashed now, while it is known. */
  verify(
    password: string,
    hash: string,
    who?: string,
  ): Promise<{ matches: boolean; outdated: boolean }>
  /** Takes as long as `verify`, for accounts that do not exist or have no password. */
  verifyDecoy(password: string, who?: string): Promise<void>
  close(): Promise<void>
}

export function createPasswords(concurrency = Math.max(1, availableParallelism())): Passwords {
  const threads = createHashThreads(concurrency, ARGON2ID)
  const take = createSemaphore(concurrency)
  let decoy: Promise<string> | undefined

  const hash = (password: string, who = '') =>
    take(who, async () => String(await threads.run({ kind: 'hash', password })))
  const matches = (password: string, stored: string, who = '') =>
    take(who, async () => (await threads.run({ kind: 'verify', password, stored })) === true)

  return {
    hash,
    async verify(password, stored, who) {
      return {
        matches: await matches(password, stored, who),
        outdated: !stored.startsWith(CURRENT_PREFIX),
      }
    },
    async verifyDecoy(password, who) {
      decoy ??= hash('no account has this hash')
      await matches(password, await decoy, who)
    },
    close: () => threads.close(),
  }
}

type Waiter = { resolve: () => void; reject: (error: Error) => void }

const tooMany = () => authErrors.tooManyRequests(RETRY_AFTER_SECONDS)

/** A fair semaphore: callers take turns, so that a flood from one delays another by at most one hash. */
function createSemaphore(permits: number) {
  const waiting = new Map<string, Waiter[]>()
  let count = 0
  let free = permits

  function wait(who: string): Promise<void> {
    const queue = waiting.get(who) ?? []
    if (queue.length >= LIMITS.queuedHashesPerNetwork) throw tooMany()
    if (count >= LIMITS.queuedHashes) displaceFor(queue.length)
    count++
    waiting.set(who, queue)
    return new Promise((resolve, reject) => queue.push({ resolve, reject }))
  }

  /** Refuses the latest of the network with most that wait, unless the caller's has as many. */
  function displaceFor(length: number) {
    const fullest = [...waiting.values()].reduce((most, each) =>
      each.length > most.length ? each : most,
    )
    if (fullest.length <= length + 1) throw tooMany()
    fullest.pop()?.reject(tooMany())
    count--
  }

  /** Dequeues from the next caller, who moves to the end. */
  function next(): Waiter | undefined {
    const [turn] = waiting
    if (!turn) return undefined
    const [who, queue] = turn
    const first = queue.shift()
    waiting.delete(who)
    if (queue.length > 0) waiting.set(who, queue)
    count--
    return first
  }

  return async function take<T>(who: string, work: () => Promise<T>): Promise<T> {
    if (free > 0) free--
    else await wait(networkOf(who))
    try {
      return await work()
    } finally {
      // The permit passes directly to the next waiter, so no other caller can take it.
      const release = next()
      if (release) release.resolve()
      else free++
    }
  }
}
