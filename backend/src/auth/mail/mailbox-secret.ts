// The one-time secret that unlocks the built-in mailbox before there is an admin.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Caller } from '#http/caller.ts'

const FILE = 'mailbox-secret'

export type MailboxSettings =
  /** For the demo: browsers of this machine, at the site's port or one of `ports`. */
  | { opensTo: 'this-machine'; ports?: readonly number[] }
  | {
      opensTo: 'secret'
      secret: MailboxSecret
      /** Whether the product lets this member read everybody's mails; asked at each look. */
      mayRead(caller: Caller): Promise<boolean>
    }

export type MailboxSecret = {
  /** The secret, at the start that created it; null while an earlier one is unused. Only its hash is stored. */
  fresh: string | null
  /** True for the correct secret, once. The next start creates a new one. */
  redeem(given: string): Promise<boolean>
}

/** Loads the unused secret from `dataDir` (file `mailbox-secret`, mode 0600), or creates one. */
export async function loadMailboxSecret(dataDir: string): Promise<MailboxSecret> {
  const path = join(dataDir, FILE)
  const known = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  const isUsable = /^[0-9a-f]{64}$/.test(known.trim())
  const fresh = isUsable ? null : randomBytes(20).toString('base64url')
  let hash: Buffer | null = fresh === null ? Buffer.from(known.trim(), 'hex') : sha256(fresh)
  if (fresh !== null) await writeFile(path, `${sha256(fresh).toString('hex')}\n`, { mode: 0o600 })
  return {
    fresh,
    async redeem(given) {
      if (hash === null || !timingSafeEqual(sha256(given.trim()), hash)) return false
      // Set before the first await, so that only one of two concurrent requests succeeds.
      hash = null
      await rm(path, { force: true })
      return true
    },
  }
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
