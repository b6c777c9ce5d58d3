/** Parses the number a member typed for a goal (product.md P61): a usable amount, or why it isn't one. */
export type Amount =
  | { state: 'blank' }
  | { state: 'usable'; value: number }
  | { state: 'refused'; reason: 'negative' | 'text' | 'huge' }

/** Above ten million a typo is likelier than a goal, and the table would no longer fit a phone. */
export const LARGEST_AMOUNT = 10_000_000

const PLAIN_NUMBER = /^\d*\.?\d*$/
const GROUPED_NUMBER = /^\d{1,3}(,\d{3})+(\.\d*)?$/

/** Parses `3000`, `3,000`, `$3,000.50` or ` 3 000 `; rejects negatives, text and huge numbers. */
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
