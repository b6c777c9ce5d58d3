export type TextPart = { kind: 'text'; text: string } | { kind: 'link'; text: string; href: string }

const CANDIDATE = /\b(?:https?:\/\/|www\.)[^\s<>"'`\u200b-\u200f\u202a-\u202e\u2066-\u2069]+/gi
const TRAILING_PUNCTUATION = /[.,;:!?*_~]+$/

/**
 * Splits a message into plain text and links. Only http and https become links: a `javascript:`
 * address, or one with a name and password that disguises its host, stays text.
 */
export function linkify(message: string): TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const match of message.matchAll(CANDIDATE)) {
    const text = withoutTrailing(match[0])
    const href = safeAddress(text)
    if (!href) continue
    if (match.index > end) parts.push({ kind: 'text', text: message.slice(end, match.index) })
    parts.push({ kind: 'link', text, href })
    end = match.index + text.length
  }
  if (end < message.length) parts.push({ kind: 'text', text: message.slice(end) })
  return parts
}

// A sentence's full stop and a bracket opened before the address are not part of it.
function withoutTrailing(candidate: string): string {
  const text = candidate.replace(TRAILING_PUNCTUATION, '')
  const closes = count(text, ')') > count(text, '(') && text.endsWith(')')
  return closes || /[\]}]$/.test(text) ? withoutTrailing(text.slice(0, -1)) : text
}

function count(text: string, character: string): number {
  return text.split(character).length - 1
}

function safeAddress(text: string): string | null {
  const address = /^www\./i.test(text) ? `https://${text}` : text
  if (!URL.canParse(address)) return null
  const url = new URL(address)
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:'
  return isWeb && !url.username && !url.password && url.hostname.includes('.') ? url.href : null
}
