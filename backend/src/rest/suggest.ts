// Finds the name that a misspelt one probably meant: by how many pairs and triples of letters they share.

const LEAST_LIKENESS = 0.33

export function suggest(misspelt: string, names: Iterable<string>): string | null {
  const wanted = grams(misspelt)
  let best: string | null = null
  let bestLikeness = LEAST_LIKENESS
  for (const name of new Set(names)) {
    const likeness = cosine(wanted, grams(name))
    if (likeness > bestLikeness) {
      best = name
      bestLikeness = likeness
    }
  }
  return best
}

function grams(name: string): Map<string, number> {
  const text = `-${name.toLowerCase().replace(/[^\p{L}\p{N}, _]/gu, '')}-`
  const counts = new Map<string, number>()
  for (const size of [2, 3]) {
    for (let start = 0; start + size <= text.length; start++) {
      const gram = text.slice(start, start + size)
      counts.set(gram, (counts.get(gram) ?? 0) + 1)
    }
  }
  return counts
}

function cosine(one: Map<string, number>, other: Map<string, number>): number {
  let product = 0
  for (const [gram, count] of one) product += count * (other.get(gram) ?? 0)
  return product === 0 ? 0 : product / (length(one) * length(other))
}

function length(counts: Map<string, number>): number {
  let sum = 0
  for (const count of counts.values()) sum += count * count
  return Math.sqrt(sum)
}
