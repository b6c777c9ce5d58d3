import { linkify } from '#lib/linkify.ts'

/** A web address as it stands in a message, and where it leads. */
export type WebLink = { text: string; href: string }

const MOST = 3

/** The first web addresses of a message, each once. */
export function linksOf(message: string): WebLink[] {
  const links = new Map<string, WebLink>()
  for (const part of linkify(message)) {
    if (part.kind !== 'link' || !part.href.startsWith('http')) continue
    links.set(part.href, { text: part.text, href: part.href })
    if (links.size === MOST) break
  }
  return [...links.values()]
}
