// Sets of numbers as Postgres writes them: `{[6,7),[9,12)}` is 6, 9, 10 and 11.

export type NumberRanges = { from: number; end: number }[]

/** @throws for anything that is not the text of an int8multirange */
export function parseRanges(text: string): NumberRanges {
  if (!/^\{(\[\d+,\d+\)(,\[\d+,\d+\))*)?\}$/.test(text)) throw new Error(`not a range: ${text}`)
  return [...text.matchAll(/\[(\d+),(\d+)\)/g)].map(([, from, end]) => ({
    from: Number(from),
    end: Number(end),
  }))
}

/** @param ranges sorted */
export function rangeOf<Range extends NumberRanges[number]>(
  ranges: Range[],
  number: number,
): Range | undefined {
  let [low, high] = [0, ranges.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ranges[middle]?.end ?? 0) <= number) low = middle + 1
    else high = middle
  }
  const found = ranges[low]
  return found && found.from <= number ? found : undefined
}

/** The numbers from `from` to `to` that none of the sorted ranges has. */
export function* numbersOutside(ranges: NumberRanges, from: number, to: number): Generator<number> {
  let next = from
  for (const range of [...ranges, { from: to + 1, end: to + 1 }]) {
    for (; next < range.from && next <= to; next++) yield next
    next = Math.max(next, range.end)
  }
}

export const sortRanges = (ranges: NumberRanges): NumberRanges =>
  ranges.toSorted((one, other) => one.from - other.from)
