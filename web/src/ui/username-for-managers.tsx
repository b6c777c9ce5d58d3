/** Visually hidden: tells password managers whose password this form is for. */
export function UsernameForManagers({ email }: { email: string }) {
  return <input type="email" autoComplete="username" readOnly hidden value={email} />
}
