/** What a member typed as the number of a goal (reading 10): a usable amount or the reason it is not. */
export type Amount =
  | { state: 'blank' }
  | { state: 'usable'; value: number }
  | { state: 'refused'; reason: 'negative' | 'text' | 'huge' }

/** Above ten million a typing slip is likelier than a goal, and the table would no longer fit a phone. */
export const LARGEST_AMOUNT = 10_000_000

const PLAIN_NUMBER = /^\d*\.?\d*$/
const GROUPED_NUMBER = /^\d{1,3}(,\d{3})+(\.\d*)?$/

/** Reads `3000`, `3,000`, `$3,000.50` or ` 3 000 `; refuses negatives, text and huge numbers. */
export function parseAmount(typed: string): Amount {
  const bare = typed.replace(/[\s$\u00a0]/g, '')
  if (bare === '') return { state: 'blank' }
  const isNegative = /^[-\u2212(]/.test(bare)
  const digits = bare.replace(/^[-\u2212(]/, '').replace(/\)$/, '')
  if (!/\d/.test(digits) || !(PLAIN_NUMBER.test(digits) || GROUPED_NUMBER.test(digits))) {
    return { state: 'refused', reason: 'text' }
  }
  const value = Number(digits.replaceAll(',', ''))
  if (isNegative && value !== 0) return { state: 'refused', reason: 'negative' }
  if (value > LARGEST_AMOUNT) return { state: 'refused', reason: 'huge' }
  return { state: 'usable', value }
}
