/** Why a mailed link brought no session: the auth service says so behind the # of the page it leads to. */
export function linkErrorOf(hash: string): string | undefined {
  const told = new URLSearchParams(hash.replace(/^#/, ''))
  return told.get('error_code') ?? told.get('error') ?? undefined
}
