export type Pair = { name: string; value: string }

/** The pairs of a query string or form, in order. A name without `=` is ignored. */
export function queryPairs(text: string): Pair[] {
  const pairs: Pair[] = []
  if (text === '') return pairs
  for (const part of text.split('&')) {
    const equals = part.indexOf('=')
    if (equals < 0) continue
    pairs.push({ name: decode(part.slice(0, equals)), value: decode(part.slice(equals + 1)) })
  }
  return pairs
}

function decode(text: string): string {
  if (!text.includes('%') && !text.includes('+')) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    // Keeps invalid escapes; invalid UTF-8 becomes the replacement character.
    return new URLSearchParams(`x=${text}`).get('x') ?? ''
  }
}
