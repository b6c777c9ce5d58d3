// A Postgres notification holds 8000 bytes at most, so what one process tells the others may need several of them.

/** UTF-16 units in a part: at most three bytes each, which with the header stays below 8000. */
const PART_UNITS = 2500
const WHOLE_BYTES = 7800

/** `sender number part parts`, a newline, and a slice of the text. */
export function splitIntoParts(sender: string, number: number, text: string): string[] {
  if (Buffer.byteLength(text) <= WHOLE_BYTES) return [`${sender} ${number} 0 1\n${text}`]
  const slices: string[] = []
  for (let start = 0; start < text.length;) {
    let end = Math.min(start + PART_UNITS, text.length)
    // Half a surrogate pair has no bytes of its own.
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end--
    slices.push(text.slice(start, end))
    start = end
  }
  return slices.map((slice, part) => `${sender} ${number} ${part} ${slices.length}\n${slice}`)
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

export type Assembled = { sender: string; text: string }

/** Puts the parts together again. The parts of one text come in order; a sender's new text drops its unfinished one. */
export function createAssembler(): (notification: string) => Assembled | null {
  const unfinished = new Map<string, { number: string; slices: string[] }>()
  return (notification) => {
    const newline = notification.indexOf('\n')
    const [sender = '', number = '', part = '', parts = ''] = notification
      .slice(0, newline)
      .split(' ')
    const slice = notification.slice(newline + 1)
    if (newline < 0 || parts === '') return null
    if (parts === '1') return { sender, text: slice }
    if (part === '0') unfinished.set(sender, { number, slices: [] })
    const known = unfinished.get(sender)
    if (!known || known.number !== number || known.slices.length !== Number(part)) return null
    known.slices.push(slice)
    if (known.slices.length < Number(parts)) return null
    unfinished.delete(sender)
    return { sender, text: known.slices.join('') }
  }
}
