// Header lines of RFC 5322, with what is not ASCII encoded as RFC 2047 has it.
import type { Participant } from './conversation-history.ts'

const MOST_LINE = 76
/** Bytes of UTF-8 whose base64 fits an encoded word of 75 characters. */
const MOST_WORD_BYTES = 42

// No header may begin another one.
const plain = (text: string) => text.replace(/[\u0000-\u001f\u007f\u2028\u2029]+/g, ' ').trim()

/** Unstructured text, such as a subject. */
export function headerText(text: string): string {
  const clean = plain(text)
  if (/^[\u0020-\u007e]*$/.test(clean) && !clean.includes('=?')) return fold(clean.split(' '), ' ')
  return encodedWords(clean).join('\r\n ')
}

/** Names and addresses, one a line. */
export function headerAddresses(people: Participant[]): string {
  return people.map(address).join(',\r\n ')
}

/** What has no usable address gets one at a domain that nobody has. */
function address({ id, name, email }: Participant): string {
  const usable = /^[^\s<>()[\]",;:\\@\u007f-\uffff]+@[A-Za-z0-9.-]+$/.test(email ?? '')
  const box = `<${usable ? email : `${id}@unknown.invalid`}>`
  const shown = plain(name ?? '')
  if (!shown) return box
  if (/^[A-Za-z0-9 ]+$/.test(shown)) return `${shown} ${box}`
  if (/^[\u0020-\u007e]*$/.test(shown) && !shown.includes('=?'))
    return `"${shown.replace(/["\\]/g, '\\$&')}" ${box}`
  return `${encodedWords(shown).join('\r\n ')} ${box}`
}

function encodedWords(text: string): string[] {
  const words: string[] = []
  let word = ''
  for (const sign of text) {
    if (Buffer.byteLength(word + sign) > MOST_WORD_BYTES) {
      words.push(word)
      word = ''
    }
    word += sign
  }
  return [...words, word].map((each) => `=?UTF-8?B?${Buffer.from(each).toString('base64')}?=`)
}

function fold(words: string[], between: string): string {
  let [line, folded] = ['', '']
  for (const word of words) {
    if (line && line.length + word.length + 1 > MOST_LINE - 20) {
      folded += `${line}\r\n `
      line = word
    } else line += (line ? between : '') + word
  }
  return folded + line
}

/** `Sun, 22 Nov 2026 19:40:37 +0000` */
export const headerDate = (moment: string): string =>
  new Date(moment).toUTCString().replace('GMT', '+0000')
