/** What a site responded with: the address after its redirects, the content type, and the beginning of the body. */
export type Fetched = { url: string; type: string; bytes: Uint8Array }
/** What a page says about itself, as plain text. */
export type Page = { title: string | null; description: string | null; site: string | null }

/** More than any head has. */
export const PAGE_BYTES = 256 * 1024
const TITLE_LENGTH = 200
const DESCRIPTION_LENGTH = 300
/** So that no page takes long to read. */
const MOST_METAS = 200
const META_LENGTH = 4000
const ENTITIES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  rsquo: '’',
  lsquo: '‘',
  rdquo: '”',
  ldquo: '“',
}

/** The title, description and site of an HTML page (Open Graph first); of anything else only the site. */
export function readPage({ url, type, bytes }: Fetched): Page {
  const host = new URL(url).hostname.replace(/^www\./, '')
  if (!/^(text\/html|application\/xhtml\+xml)\b/i.test(type)) {
    return { title: null, description: null, site: host }
  }
  const html = decoded(bytes.subarray(0, PAGE_BYTES), type)
  const metas = metasOf(html)
  const title = metas.get('og:title') ?? metas.get('twitter:title') ?? titleOf(html)
  const description = metas.get('og:description') ?? metas.get('description')
  return {
    title: plain(title, TITLE_LENGTH),
    description: plain(description, DESCRIPTION_LENGTH),
    // What the site calls itself says nothing; its host does.
    site: host,
  }
}

function decoded(bytes: Uint8Array, type: string): string {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 2048))
  const named = /charset=["']?([\w-]{1,40})/i
  const label = named.exec(type)?.[1] ?? named.exec(start)?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(label).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}

function titleOf(html: string): string | undefined {
  const start = /<title\b[^<>]{0,500}>/i.exec(html)
  if (!start) return undefined
  const from = start.index + start[0].length
  const end = html.slice(from, from + 2000).search(/<\/title/i)
  return end === -1 ? undefined : html.slice(from, from + end)
}

function metasOf(html: string): Map<string, string> {
  const metas = new Map<string, string>()
  let left = MOST_METAS
  for (const { index } of html.matchAll(/<meta\b/gi)) {
    if (left-- === 0) break
    const tag = html.slice(index, index + META_LENGTH)
    const attributes = /^(?:"[^"]*"|'[^']*'|[^"'>])*/.exec(tag)?.[0] ?? ''
    const values = new Map<string, string>()
    for (const [, name = '', double, single, bare] of attributes.matchAll(
      /([\w:-]{1,40})\s{0,5}=\s{0,5}(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/g,
    )) {
      values.set(name.toLowerCase(), double ?? single ?? bare ?? '')
    }
    const name = (values.get('property') ?? values.get('name') ?? '').toLowerCase()
    const content = values.get('content')
    if (name && content && !metas.has(name)) metas.set(name, content)
  }
  return metas
}

/** One line of text, without entities, control characters, and what turns the direction of writing. */
function plain(text: string | undefined, length: number): string | null {
  const line = (text ?? '')
    .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,8}));/gi, (entity, decimal, hex, name) => {
      if (name) return ENTITIES[(name as string).toLowerCase()] ?? entity
      const code = decimal ? Number(decimal) : parseInt(hex as string, 16)
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
    })
    .replace(/[\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  const characters = [...line]
  if (characters.length === 0) return null
  if (characters.length <= length) return line
  return `${characters
    .slice(0, length - 1)
    .join('')
    .trimEnd()}…`
}
