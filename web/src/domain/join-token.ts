// The link somebody came by, until they are on the team. Kept for this tab: a sign-up may take several screens, and somebody
// else who signs up on this device later did not come by it.
const KEY = 'join-token'

export function keepJoinToken(token: string) {
  sessionStorage.setItem(KEY, token)
}

export function joinToken(): string | null {
  return sessionStorage.getItem(KEY)
}

export function forgetJoinToken() {
  sessionStorage.removeItem(KEY)
}
