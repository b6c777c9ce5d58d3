/** "www.example.com" as people type it, with the https:// that makes it an address. */
export function completeAddress(typed: string): string {
  const text = typed.trim()
  return /^www\./i.test(text) ? `https://${text}` : text
}
