/** What people type from the name of a site on, such as www.example.com/a or example.com. */
const WITHOUT_SCHEME = /^[\p{L}\d-]+(\.[\p{L}\d-]+)*\.\p{L}{2,}(:\d+)?([/?#]\S*)?$/u

/** Trims a typed address, and puts the https:// before it that makes it one. */
export function completeAddress(typed: string): string {
  const text = typed.trim()
  return WITHOUT_SCHEME.test(text) ? `https://${text}` : text
}
