import { describe, expect, test } from 'vitest'
import { resolveContentType } from './resolve-content-type.ts'
import { sniffContentType } from './sniff-content-type.ts'

const bytes = (text: string) => Buffer.from(text, 'latin1')
const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13])

describe('sniffing the content type', () => {
  test.each([
    [png, 'image/png'],
    [bytes('\xff\xd8\xff\xe0\0\x10JFIF'), 'image/jpeg'],
    [bytes('RIFF\x10\0\0\0WEBPVP8 '), 'image/webp'],
    [bytes('\0\0\0\x20ftypavif\0\0'), 'image/avif'],
    [bytes('\0\0\0\x20ftypisom\0\0'), 'video/mp4'],
    [bytes('%PDF-1.7'), 'application/pdf'],
    [bytes('BMW is a car maker and not a bitmap'), 'text/plain'],
    [bytes('plain words'), 'text/plain'],
    [bytes('\x01\x02\x03\x04'), null],
  ])('%j is %s', (head, type) => {
    expect(sniffContentType(head)).toBe(type)
  })

  test.each([
    '<svg onload="alert(1)">',
    '  <?xml version="1.0"?>\n<!-- hello --><!DOCTYPE svg PUBLIC "x" "y">\n<svg xmlns="…">',
    '<!DOCTYPE svg [ <!ENTITY a "b"> ]><svg>',
    '\ufeff<SVG>',
    '<s:svg xmlns:s="http://www.w3.org/2000/svg">',
  ])('%j is an SVG', (text) => {
    expect(sniffContentType(Buffer.from(text))).toBe('image/svg+xml')
  })

  test.each([
    '<!doctype html>',
    '\n\n<!-- x --><script>alert(1)</script>',
    '<HTML\n>',
    '<img src=x onerror=y>',
  ])('%j is HTML', (text) => expect(sniffContentType(Buffer.from(text))).toBe('text/html'))

  test('a comment longer than the sniffed bytes hides nothing', () => {
    expect(sniffContentType(Buffer.from(`<!--${'x'.repeat(9000)}--><script>`))).toBe(
      'application/xml',
    )
  })

  test('HTML in UTF-16 is HTML', () => {
    expect(sniffContentType(Buffer.from('\ufeff<script>alert(1)</script>', 'utf16le'))).toBe(
      'text/html',
    )
  })
})

describe('the declared type', () => {
  test.each([
    ['image/png', bytes('<svg onload="x">'), 'image/svg+xml'],
    ['text/plain', bytes('<script>x</script>'), 'text/html'],
    ['text/html', bytes('just words'), 'text/plain'],
    ['image/png', bytes('\x01\x02\x03'), 'application/octet-stream'],
    ['image/png', Buffer.alloc(0), 'application/octet-stream'],
    ['image/jpeg', png, 'image/png'],
    ['application/msword', bytes('\x01\x02\x03'), 'application/octet-stream'],
    ['application/vnd.oasis.opendocument.text', bytes('\x01\x02'), 'application/octet-stream'],
    ['application/pdf', bytes('MZ\x90\0'), 'application/x-msdownload'],
    ['application/pdf', bytes('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'), 'application/x-ole-storage'],
    ['text/javascript', bytes('alert(1)'), 'text/plain'],
    ['text/html\r\nx-evil: 1', bytes('words'), 'text/plain'],
  ])('%s does not override the bytes', (declared, head, kept) => {
    expect(resolveContentType(declared, head)).toBe(kept)
  })

  test.each([
    ['text/plain;charset=UTF-8', bytes('words'), 'text/plain;charset=UTF-8'],
    ['application/json', bytes('{"a":1}'), 'application/json'],
    ['text/csv', bytes('a,b'), 'text/csv'],
    [
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      bytes('PK\x03\x04'),
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    ],
    [
      'application/vnd.ms-excel',
      bytes('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'),
      'application/vnd.ms-excel',
    ],
    ['application/x-own-format', bytes('\x01\x02'), 'application/x-own-format'],
  ])('%s refines what the bytes leave open', (declared, head, kept) => {
    expect(resolveContentType(declared, head)).toBe(kept)
  })

  test('an image followed by HTML is served as the image', () => {
    expect(resolveContentType('text/html', bytes('GIF89a<script>alert(1)</script>'))).toBe(
      'image/gif',
    )
  })
})
