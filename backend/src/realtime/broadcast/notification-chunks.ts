// A Postgres notification holds less than 8000 bytes, so longer messages between processes are split into chunks.

/** UTF-16 units per chunk: at most three bytes each, so a chunk with its header stays below 8000 bytes. */
const CHUNK_UNITS = 2500
const MAX_SINGLE_BYTES = 7800

/** A chunk is `sender number chunk count`, a newline, and a slice of the text. */
export function splitIntoChunks(sender: string, number: number, text: string): string[] {
  if (Buffer.byteLength(text) <= MAX_SINGLE_BYTES) return [`${sender} ${number} 0 1\n${text}`]
  const slices: string[] = []
  for (let start = 0; start < text.length;) {
    let end = Math.min(start + CHUNK_UNITS, text.length)
    // Half a surrogate pair cannot be encoded as UTF-8.
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end--
    slices.push(text.slice(start, end))
    start = end
  }
  return slices.map((slice, chunk) => `${sender} ${number} ${chunk} ${slices.length}\n${slice}`)
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

export type Assembled = { sender: string; text: string }

/** Reassembles chunks. Chunks of one text arrive in order; a sender's next text discards its unfinished one. */
export function createAssembler(): (notification: string) => Assembled | null {
  const unfinished = new Map<string, { number: string; slices: string[] }>()
  return (notification) => {
    const newline = notification.indexOf('\n')
    const [sender = '', number = '', chunk = '', chunks = ''] = notification
      .slice(0, newline)
      .split(' ')
    const slice = notification.slice(newline + 1)
    if (newline < 0 || chunks === '') return null
    if (chunks === '1') return { sender, text: slice }
    if (chunk === '0') unfinished.set(sender, { number, slices: [] })
    const known = unfinished.get(sender)
    if (!known || known.number !== number || known.slices.length !== Number(chunk)) return null
    known.slices.push(slice)
    if (known.slices.length < Number(chunks)) return null
    unfinished.delete(sender)
    return { sender, text: known.slices.join('') }
  }
}
