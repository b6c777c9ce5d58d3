import type { Claims } from '#http/caller.ts'

/** What a token says that its session's owner has shown, and when (seconds since 1970): its `amr` claim. */
export function shownProofs({ amr }: Claims): { method: string; timestamp: number }[] {
  return Array.isArray(amr) ? (amr as { method: string; timestamp: number }[]) : []
}

/** The second of the latest; null if the token says nothing of it. */
export function latestProof(claims: Claims): number | null {
  const times = shownProofs(claims).map(({ timestamp }) => timestamp)
  return times.length > 0 ? Math.max(...times) : null
}
