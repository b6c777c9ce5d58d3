import { hash } from 'node:crypto'
import type { Caller } from './caller.ts'
import { LIMITS } from './limits.ts'

/** What an entry takes beside its claims: the digest, the map's slot and the caller. */
const ENTRY_BYTES = 512
/** The claims are kept as an object and as text. */
const COPIES = 3

/**
 * The callers of access tokens that were verified before: verifying costs as much CPU as the rest of a request. Bounded by
 * bytes, because a member decides how long their metadata is. Tokens expire about in the order in which they come.
 */
export class VerifiedTokens {
  private readonly callers = new Map<string, Caller>()
  private bytes = 0

  get(token: string): Caller | undefined {
    return this.callers.get(digest(token))
  }

  /** @param now in milliseconds; what has expired by then is dropped */
  add(token: string, caller: Caller, now: number): void {
    const size = bytesOf(caller)
    if (size > LIMITS.verifiedTokenBytes) return
    const key = digest(token)
    this.drop(key)
    for (const [oldest, { claims }] of this.callers) {
      if (!isExpired(claims, now) && this.bytes + size <= LIMITS.verifiedTokensBytes) break
      this.drop(oldest)
    }
    this.callers.set(key, caller)
    this.bytes += size
  }

  delete(token: string): void {
    this.drop(digest(token))
  }

  private drop(key: string) {
    const caller = this.callers.get(key)
    if (caller && this.callers.delete(key)) this.bytes -= bytesOf(caller)
  }
}

export function isExpired({ exp = Infinity }: Caller['claims'], now: number): boolean {
  return exp * 1000 <= now
}

function bytesOf({ claimsText }: Caller): number {
  return ENTRY_BYTES + COPIES * claimsText.length
}

function digest(token: string): string {
  return hash('sha256', token, 'base64')
}
