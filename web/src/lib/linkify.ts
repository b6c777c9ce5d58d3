export type TextPart = { kind: 'text'; text: string } | { kind: 'link'; text: string; href: string }

const WEB = /\b(?:https?:\/\/|www\.)[^\s<>"'`\u200b-\u200f\u202a-\u202e\u2066-\u2069]+/
const MAIL = /(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+(?![\w@-])/
/** A US number, or an international one with its plus sign; meeting ids have other groups. */
const PHONE =
  /(?<![\w+/.-])(?:(?:\+?1[ .-]?)?(?:\(\d{3}\) ?|\d{3}[ .-])\d{3}[ .-]\d{4}|\+[2-9](?:[ .-]?\d){7,13})(?![\w-])/
const CANDIDATE = new RegExp(`${WEB.source}|${MAIL.source}|${PHONE.source}`, 'gi')
const TRAILING_PUNCTUATION = /[.,;:!?*_~]+$/

/**
 * Splits a text into plain text and links: web addresses, mail addresses and phone numbers. Of web addresses
 * only http and https become links: a `javascript:` address, or one with credentials that disguise its host,
 * stays text.
 */
export function linkify(message: string): TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const match of message.matchAll(CANDIDATE)) {
    const text = withoutTrailing(match[0])
    const href = addressOf(text)
    if (!href) continue
    if (match.index > end) parts.push({ kind: 'text', text: message.slice(end, match.index) })
    parts.push({ kind: 'link', text, href })
    end = match.index + text.length
  }
  if (end < message.length) parts.push({ kind: 'text', text: message.slice(end) })
  return parts
}

/** Attributes of a link: web pages open in a new tab, mail and phone in their own apps. */
export function linkAttributes(href: string) {
  return href.startsWith('http')
    ? ({ href, target: '_blank', rel: 'noopener noreferrer nofollow' } as const)
    : ({ href } as const)
}

function addressOf(text: string): string | null {
  if (/^(?:https?:|www\.)/i.test(text)) return safeAddress(text)
  return text.includes('@') ? `mailto:${text}` : `tel:${text.replace(/[^\d+]/g, '')}`
}

// A sentence's period and a bracket opened before the address aren't part of it.
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
