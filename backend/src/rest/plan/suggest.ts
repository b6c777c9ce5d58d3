// Suggests the name closest to a misspelled one, as PostgREST does: of the names that share a part with it, the one that
// takes the fewest edits.
import { LIMITS } from '#rest/limits.ts'

const MIN_SIMILARITY = 0.33
/** For tables and functions, so that guesses do not reveal the names of those that the caller may not use. */
export const MIN_NAME_SIMILARITY = 0.75

export function suggest(
  misspelled: string,
  names: Iterable<string>,
  minimum = MIN_SIMILARITY,
): string | null {
  if (misspelled.length > LIMITS.suggestedCharacters) return null
  const wanted = misspelled.toLowerCase()
  const all = [...new Set(names)]
  if (all.length > LIMITS.suggestedNames) return null
  const candidates = all.filter((name) => mayBeSimilar(wanted, name, minimum))
  for (const size of [3, 2]) {
    const parts = [...partsOf(wanted, size)]
    let best: string | null = null
    let bestSimilarity = minimum
    for (const name of candidates) {
      const padded = pad(name.toLowerCase())
      if (!parts.some((part) => padded.includes(part))) continue
      const similarity = similarityOf(wanted, name.toLowerCase())
      if (similarity > bestSimilarity || (best === null && similarity === minimum)) {
        best = name
        bestSimilarity = similarity
      }
    }
    if (best !== null) return best
  }
  return null
}

/** Names of very different lengths take too many edits. */
function mayBeSimilar({ length }: string, name: string, minimum: number): boolean {
  const [short, long] = length < name.length ? [length, name.length] : [name.length, length]
  return short >= minimum * long
}

function pad(name: string): string {
  return `-${name.replace(/[^\p{L}\p{N}, _]/gu, '')}-`
}

function* partsOf(name: string, size: number): Generator<string> {
  const padded = pad(name)
  for (let start = 0; start + size <= padded.length; start++)
    yield padded.slice(start, start + size)
}

/** 1 for equal names, 0 for those that have nothing in common. */
function similarityOf(one: string, other: string): number {
  const longest = Math.max(one.length, other.length)
  return longest === 0 ? 1 : 1 - distance(one, other) / longest
}

/** The Levenshtein distance. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const replaced = (row[j - 1] ?? 0) + Number(one[i - 1] !== other[j - 1])
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[other.length] ?? 0
}
