const GROUPED_DIGITS = /^\+?[0-9 \u00a0\u2007\u202f()./\u2010-\u2015-]+$/
/** Characters without a shape, which phones put around a copied number. */
const INVISIBLE = /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g
const E164 = /^\+(1[2-9][0-9]{2}[2-9][0-9]{6}|[2-9][0-9]{6,14})$/
const NORTH_AMERICAN = /^\+1([0-9]{3})([0-9]{3})([0-9]{4})$/

/**
 * A number as people type it in E.164, or null. The database has the same rule (contact_details.sql); here the field says
 * at once what is wrong.
 */
export function phoneFrom(typed: string): string | null {
  const plain = typed.replace(INVISIBLE, '').trim()
  if (!GROUPED_DIGITS.test(plain)) return null
  const phone = withCountry(plain.startsWith('+'), plain.replace(/[^0-9]/g, ''))
  return phone && E164.test(phone) ? phone : null
}

function withCountry(hasPlus: boolean, digits: string): string | null {
  if (hasPlus) return `+${digits}`
  if (digits.startsWith('011')) return `+${digits.slice(3)}`
  if (digits.startsWith('00')) return `+${digits.slice(2)}`
  if (digits.length === 11 && digits.startsWith('1')) return `+${digits}`
  return digits.length === 10 ? `+1${digits}` : null
}

/** +13125550142 as (312) 555-0142; a number of another country as it is dialed. */
export function formatPhone(phone: string): string {
  const [, area, exchange, line] = NORTH_AMERICAN.exec(phone) ?? []
  return area ? `(${area}) ${exchange}-${line}` : phone
}
