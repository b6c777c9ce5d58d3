import { expect, test } from 'vitest'
import { isPublicHost } from './fetch-public-page.ts'
import { PAGE_BYTES, readPage } from './read-page.ts'

const read = (html: string | Uint8Array, type = 'text/html; charset=utf-8') =>
  readPage({
    url: 'https://www.example.com/a',
    type,
    bytes: typeof html === 'string' ? new TextEncoder().encode(html) : html,
  })

test('what a page says for sharing comes before its title', () => {
  const html = `<html><head><title>Plain</title>
    <meta property="og:title" content='Term &amp; Whole Life &#8212; &quot;compared&quot;'>
    <META NAME=description CONTENT="Which one, &#x27;and&#x27; when"/>
    <meta property="og:site_name" content="Your Bank"></head>`
  expect(read(html)).toEqual({
    title: 'Term & Whole Life — "compared"',
    description: "Which one, 'and' when",
    site: 'example.com',
  })
})

test('a page without any of it has its title, and a page without a title nothing', () => {
  expect(read('<title lang="en">\n  A\t title </title>')).toMatchObject({ title: 'A title' })
  expect(read('<p>Hello')).toEqual({ title: null, description: null, site: 'example.com' })
  expect(read('<title>no end')).toMatchObject({ title: null })
})

test('what is not a page has its site alone', () => {
  expect(read('<title>x</title>', 'application/pdf')).toEqual({
    title: null,
    description: null,
    site: 'example.com',
  })
})

test('texts are one line, bounded, and hide nothing', () => {
  expect(read(`<title>${'word '.repeat(100)}</title>`).title).toHaveLength(200)
  expect(read('<title>gnp.exe\u202egpj\u200b &#8238;&#0;&#1114112;x</title>').title).toBe(
    'gnp.exegpj x',
  )
})

test('other character sets are read as the site or the page says', () => {
  const latin = Uint8Array.from('<title>Jubilaci\u00f3n</title>', (each) => each.charCodeAt(0))
  expect(read(latin, 'text/html; charset=ISO-8859-1').title).toBe('Jubilación')
  const named = Uint8Array.from(
    '<meta charset="windows-1252"><title>Jubilaci\u00f3n</title>',
    (each) => each.charCodeAt(0),
  )
  expect(read(named, 'text/html').title).toBe('Jubilación')
  expect(read('<title>Jubilación</title>', 'text/html; charset=nonsense').title).toBe('Jubilación')
})

test.each([
  ['many tags without an end', '<meta '],
  ['quotes that never close', `<meta a="'`],
  ['attributes without end', `<meta ${'a='.repeat(20)}`],
  ['titles without an end', '<title '],
  ['entities', '<title>&#&#&#'],
])('a page of %s is read within a tenth of a second', (_what, part) => {
  const html = part.repeat(PAGE_BYTES / part.length)
  const before = process.cpuUsage()
  read(html)
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 1000).toBeLessThan(100)
})

test.each([
  'http://10.0.0.1/',
  'http://2130706433/',
  'http://0x7f.1/',
  'http://[::1]/',
  'http://localhost/',
  'http://metadata.google.internal/',
  'http://printer.local/',
  'https://user:password@example.com/',
  'https://example.com:5432/',
  'ftp://example.com/',
])('a hosted function does not fetch %s', (url) => {
  expect(isPublicHost(new URL(url))).toBe(false)
})

test('a hosted function fetches public sites', () => {
  expect(isPublicHost(new URL('https://www.example.com/a?b'))).toBe(true)
  expect(isPublicHost(new URL('http://example.com:8080/'))).toBe(true)
})
