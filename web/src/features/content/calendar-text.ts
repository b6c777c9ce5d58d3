import type { WallDate } from './zoned-time.ts'

const FOLD_BYTES = 75

/** Escapes a text value, so that a title can neither end its line nor start another (RFC 5545, 3.3.11). */
export function textValue(text: string): string {
  return text.replace(/[\\;,]/g, '\\$&').replace(/\r\n|\r|\n/g, '\\n')
}

/** Folds lines at 75 bytes, never inside a character (RFC 5545, 3.1). */
export function foldLine(line: string): string {
  const encoder = new TextEncoder()
  let folded = ''
  let bytes = 0
  for (const letter of line) {
    const size = encoder.encode(letter).length
    if (bytes + size > FOLD_BYTES) {
      folded += '\r\n '
      bytes = 1
    }
    folded += letter
    bytes += size
  }
  return folded
}

/** `20261123T190000` */
export function localTime({ year, month, day }: WallDate, minutes: number): string {
  return utcTime(Date.UTC(year, month - 1, day, 0, minutes)).slice(0, -1)
}

/** `20261121T120000Z` */
export function utcTime(moment: number): string {
  return `${new Date(moment).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`
}

/** `-0500` */
export function utcOffset(minutes: number): string {
  const pad = (part: number) => String(part).padStart(2, '0')
  const size = Math.abs(minutes)
  return `${minutes < 0 ? '-' : '+'}${pad(Math.floor(size / 60))}${pad(size % 60)}`
}
