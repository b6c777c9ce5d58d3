import { describe, expect, test } from 'vitest'
import { judgeContentType } from './judge-content-type.ts'
import { sniffContentType } from './sniff-content-type.ts'

const bytes = (text: string) => Buffer.from(text, 'latin1')
const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13])

describe('a file is known by its bytes', () => {
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
  ])('%j is a drawing that may carry script', (text) => {
    expect(sniffContentType(Buffer.from(text))).toBe('image/svg+xml')
  })

  test.each([
    '<!doctype html>',
    '\n\n<!-- x --><script>alert(1)</script>',
    '<HTML\n>',
    '<img src=x onerror=y>',
  ])('%j is a page', (text) => expect(sniffContentType(Buffer.from(text))).toBe('text/html'))

  test('a comment longer than what is looked at hides nothing', () => {
    expect(sniffContentType(Buffer.from(`<!--${'x'.repeat(9000)}--><script>`))).toBe(
      'application/xml',
    )
  })

  test('a page in UTF-16 is a page', () => {
    expect(sniffContentType(Buffer.from('\ufeff<script>alert(1)</script>', 'utf16le'))).toBe(
      'text/html',
    )
  })
})

describe('what the client declares', () => {
  test.each([
    ['image/png', bytes('<svg onload="x">'), 'image/svg+xml'],
    ['text/plain', bytes('<script>x</script>'), 'text/html'],
    ['text/html', bytes('just words'), 'text/plain'],
    ['image/png', bytes('\x01\x02\x03'), 'application/octet-stream'],
    ['image/png', Buffer.alloc(0), 'application/octet-stream'],
    ['image/jpeg', png, 'image/png'],
    ['text/javascript', bytes('alert(1)'), 'text/plain'],
    ['text/html\r\nx-evil: 1', bytes('words'), 'text/plain'],
  ])('%s is not believed against the bytes', (declared, head, kept) => {
    expect(judgeContentType(declared, head)).toBe(kept)
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
    ['application/x-own-format', bytes('\x01\x02'), 'application/x-own-format'],
  ])('%s refines what the bytes leave open', (declared, head, kept) => {
    expect(judgeContentType(declared, head)).toBe(kept)
  })

  test('a picture followed by a page is served as the picture it begins with', () => {
    expect(judgeContentType('text/html', bytes('GIF89a<script>alert(1)</script>'))).toBe(
      'image/gif',
    )
  })
})
