/** Unseen: tells a password manager whose password the form is about. */
export function UsernameForManagers({ email }: { email: string }) {
  return <input type="email" autoComplete="username" readOnly hidden value={email} />
}
