import { expect, test } from 'vitest'
import { parseStorableJson, UnstorableText } from './storable-json.ts'

test.each([
  ['a NUL', '{"a":["x\\u0000"]}'],
  ['a NUL in a name', '{"\\u0000":1}'],
  ['the first half of a pair', '"\\ud83d"'],
  ['the second half, in capitals', '{"a":{"b":"\\uDE00x"}}'],
  ['halves in the wrong order', '"\\ude00\\ud83d"'],
  ['a NUL after a backslash', '"\\\\\\u0000"'],
])('%s is refused', (_what, text) => expect(() => parseStorableJson(text)).toThrow(UnstorableText))

test.each([
  ['a whole pair, escaped', '"\\ud83d\\ude00"', '😀'],
  ['a backslash and the letters', '"\\\\u0000 \\\\ud83d"', '\\u0000 \\ud83d'],
  ['other control characters', '"\\u0001\\n"', '\u0001\n'],
])('%s is read', (_what, text, parsed) => expect(parseStorableJson(text)).toBe(parsed))

test('what is no JSON is a SyntaxError', () =>
  expect(() => parseStorableJson('{"a":"\\u0000"')).toThrow(SyntaxError))
