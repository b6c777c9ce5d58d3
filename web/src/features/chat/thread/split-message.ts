/**
 * Splits a text into parts of at most `limit` characters: between paragraphs if a part stays at least half
 * full, else between lines, else between words, and within one only if it is longer than a part.
 */
export function splitMessage(text: string, limit: number): string[] {
  const parts: string[] = []
  let rest = text.trim()
  while (rest.length > limit) {
    const end = endOfPart(rest, limit)
    parts.push(rest.slice(0, end).trimEnd())
    rest = rest.slice(end).trimStart()
  }
  return [...parts, rest]
}

function endOfPart(text: string, limit: number): number {
  // One more: a break right after a full part is a good one.
  const start = text.slice(0, limit + 1)
  for (const gap of ['\n\n', '\n']) {
    const at = start.lastIndexOf(gap)
    if (at >= limit / 2) return at
  }
  const space = start.search(/\s\S*$/)
  if (space > 0) return space
  // Not between the two halves of an emoji.
  return /[\uD800-\uDBFF]/.test(text.charAt(limit - 1)) ? limit - 1 : limit
}
