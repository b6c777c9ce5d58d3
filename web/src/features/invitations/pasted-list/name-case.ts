const PARTICLES = new Set(
  'de del la las los el y e da do dos das di du van von der den ter bin al'.split(' '),
)
const GENERATION = /^(?:ii|iii|iv)$/i
/** Initials written as one word: AJ, TJ, DK. */
const INITIALS = /^(?:[A-Z]J|[B-DF-HJ-NP-TV-XZ]{2})$/

/**
 * Names written in capitals or without any, as they are usually written: `MAYA O'BRIEN-DE LA CRUZ` becomes
 * `Maya O'Brien-de la Cruz`. A name with both is left alone, but for a last name in capitals.
 */
export function withNameCase<Name extends { firstName: string; lastName: string }>(
  name: Name,
): Name {
  const whole = `${name.firstName} ${name.lastName}`
  const isLoud = isUpper(whole) && whole.replace(/[^\p{L}]/gu, '').length > 2
  const isQuiet = whole === whole.toLowerCase()
  const change = (text: string, isLast: boolean) =>
    text
      .split(' ')
      .map((word, place) => {
        if (isLoud || isQuiet) return inNameCase(word, isLast || place > 0)
        return word.length > 3 && isUpper(word) && !word.includes('.')
          ? inNameCase(word, true)
          : word
      })
      .join(' ')
  return {
    ...name,
    firstName: change(name.firstName, false),
    lastName: change(name.lastName, true),
  }
}

function isUpper(text: string): boolean {
  return text === text.toUpperCase() && text !== text.toLowerCase()
}

function inNameCase(word: string, mayBeParticle: boolean): string {
  if (GENERATION.test(word)) return word.toUpperCase()
  if (INITIALS.test(word) && !/^[JS]R$/.test(word)) return word
  const lower = word.toLowerCase()
  if (mayBeParticle && PARTICLES.has(lower)) return lower
  return lower
    .replace(
      /(^|[-.'’])(\p{L})/gu,
      (_, before: string, letter: string) => before + letter.toUpperCase(),
    )
    .replace(/^Mc(\p{L})/u, (_, letter: string) => `Mc${letter.toUpperCase()}`)
}
