/** Visually hidden: names the account for password managers. */
export function UsernameForManagers({ email }: { email: string }) {
  return <input type="email" autoComplete="username" readOnly hidden value={email} />
}
