// Hashing takes tens of milliseconds of CPU, so it runs on threads of its own and only a few at once: chat does not wait.
import { availableParallelism } from 'node:os'
import type { Options } from '@node-rs/argon2'
import { authErrors } from './errors.ts'
import { createHashThreads } from './hash-threads.ts'

/** OWASP's second recommendation; hosted Supabase verifies the same kind. `2` is argon2id. */
const ARGON2ID: Options = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const CURRENT_PREFIX = '$argon2id$v=19$m=19456,t=2,p=1$'
/** Past this queue a person would wait for longer than they would try again. */
const LONGEST_QUEUE = 1_000
const RETRY_AFTER_SECONDS = 5

export type Passwords = {
  hash(password: string): Promise<string>
  /** `outdated` asks for the password to be hashed anew, which is possible only now. */
  verify(password: string, hash: string): Promise<{ matches: boolean; outdated: boolean }>
  /** Takes as long as verifying and never matches: for accounts that do not exist or have no password. */
  pretendToVerify(password: string): Promise<void>
  close(): Promise<void>
}

export function createPasswords(concurrency = Math.max(1, availableParallelism())): Passwords {
  const threads = createHashThreads(concurrency, ARGON2ID)
  const take = createTurnstile(concurrency)
  let decoy: Promise<string> | undefined

  const hash = (password: string) =>
    take(async () => String(await threads.run({ kind: 'hash', password })))
  const matches = (password: string, stored: string) =>
    take(async () => (await threads.run({ kind: 'verify', password, stored })) === true)

  return {
    hash,
    async verify(password, stored) {
      return {
        matches: await matches(password, stored),
        outdated: !stored.startsWith(CURRENT_PREFIX),
      }
    },
    async pretendToVerify(password) {
      decoy ??= hash('no account has this hash')
      await matches(password, await decoy)
    },
    close: () => threads.close(),
  }
}

function createTurnstile(places: number) {
  const waiting: (() => void)[] = []
  let free = places
  return async function take<T>(work: () => Promise<T>): Promise<T> {
    if (free > 0) free--
    else if (waiting.length >= LONGEST_QUEUE) throw authErrors.tooManyRequests(RETRY_AFTER_SECONDS)
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      // The place goes straight to the next in line, so nobody can slip in between.
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}
