import { restErrors } from '#rest/errors.ts'
import { LIMITS } from '#rest/limits.ts'

export type Pair = { name: string; value: string }

/**
 * The pairs of a query string or form, in order. A name without `=` is ignored.
 * @throws PGRST100 for more than `LIMITS.parameters`
 */
export function queryPairs(text: string): Pair[] {
  const pairs: Pair[] = []
  if (text === '') return pairs
  const parts = text.split('&', LIMITS.parameters + 1)
  if (parts.length > LIMITS.parameters) throw restErrors.overLimit('parameters', LIMITS.parameters)
  // An exception costs more than all else here: after the first, those escapes are taken for invalid ones.
  let decode = decodeOrThrow
  for (const part of parts) {
    const equals = part.indexOf('=')
    if (equals < 0) continue
    const [name, value] = [part.slice(0, equals), part.slice(equals + 1)]
    try {
      pairs.push({ name: decode(name), value: decode(value) })
    } catch {
      decode = decodeLeniently
      pairs.push({ name: decode(name), value: decode(value) })
    }
  }
  return pairs
}

const isPlain = (text: string) => !text.includes('%') && !text.includes('+')

function decodeOrThrow(text: string): string {
  return isPlain(text) ? text : decodeURIComponent(text.replaceAll('+', ' '))
}

/** The same for valid text. Keeps invalid escapes; invalid UTF-8 becomes the replacement character. */
function decodeLeniently(text: string): string {
  return isPlain(text) ? text : (new URLSearchParams(`x=${text}`).get('x') ?? '')
}
