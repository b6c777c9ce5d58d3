const LOCAL_PART = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const ADDRESS = new RegExp(
  `^(?=.{1,64}@)${LOCAL_PART}@(?:${LABEL}\\.)+[a-z](?:[a-z0-9-]*[a-z0-9])$`,
)

/** The longest that mail can be sent to. */
export const LONGEST_ADDRESS = 254

/** Whether a lower-case address is complete: by the rules of the auth service, and with a top-level domain. */
export function isAddress(text: string): boolean {
  return text.length <= LONGEST_ADDRESS && ADDRESS.test(text)
}

/** Something that is meant as an address, right or wrong, and where it stands in the text. */
export type FoundAddress = { email: string; start: number; end: number }

// Without what can stand directly next to an address and is no part of it.
const TOKEN = /[^\s<>()[\]{},;:"“”„«»|]+/g
const BEFORE = /^[^\p{L}\p{N}_+]+/u
const AFTER = /[^\p{L}\p{N}]+$/u
const INVISIBLE = /[\u200c\u200d]/g

/** Every address in the text, in order, in lower case. `@maya` is a name on some network and none. */
export function findAddresses(text: string): FoundAddress[] {
  return text.includes('@') ? find(text, addressIn) : []
}

// A site, or an address whose @ is missing: `maya.example.com`. What follows a name's dot has a capital: `St.John`.
const WITHOUT_AT =
  /^(?!www\.)[\w+-]+(?:\.(?:com|net|org|edu|gov|mil|info|biz)|(?:\.[\w-]+)+\.[a-z]{2,})$/

/** The same, with what lacks nothing but an @. */
export function findMeantAddresses(text: string): FoundAddress[] {
  return find(text, (token) => addressIn(token) ?? withoutAt(token))
}

export const hasAddress = (text = '') => findAddresses(text).length > 0
export const hasMeantAddress = (text: string) => findMeantAddresses(text).length > 0

/** The word in lower case if it may be an address whose @ is missing. */
export function withoutAt(token: string): string | undefined {
  const text = token.replace(AFTER, '')
  return WITHOUT_AT.test(text) ? text.toLowerCase() : undefined
}

function find(text: string, read: (token: string) => string | undefined): FoundAddress[] {
  const found: FoundAddress[] = []
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const email = read(token)
    if (email) found.push({ email, start: index, end: index + token.length })
  }
  return found
}

function addressIn(token: string): string | undefined {
  const at = token.lastIndexOf('@')
  if (at < 0) return undefined
  const [domain = ''] = token.slice(at + 1).split(/[?&#/!]/)
  const localPart = token.slice(0, at).toLowerCase().replace(BEFORE, '')
  if (!localPart) return undefined
  return `${localPart}@${domain.toLowerCase().replace(AFTER, '')}`.replace(INVISIBLE, '')
}
