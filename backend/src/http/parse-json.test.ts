import { expect, test } from 'vitest'
import { LIMITS } from './limits.ts'
import { JsonTooComplex, parseJson } from './parse-json.ts'

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
const named = (count: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [`n${at}`, 1])))

test('JSON up to the limits is parsed', () => {
  expect(JSON.stringify(parseJson(nested(LIMITS.jsonDepth)))).toBe(nested(LIMITS.jsonDepth))
  const one = named(LIMITS.jsonNames)
  expect(JSON.stringify(parseJson(one))).toBe(one)
  const many = `[${Array.from({ length: 49 }, () => one).join(',')}]`
  expect(JSON.stringify(parseJson(many))).toBe(many)
  const numbers = JSON.stringify(Array.from({ length: 2 * LIMITS.jsonParts }, () => 1))
  expect(JSON.stringify(parseJson(numbers))).toBe(numbers)
})

test.each([
  ['deeper nesting', nested(LIMITS.jsonDepth + 1)],
  ['more names of one object', named(LIMITS.jsonNames + 1)],
  ['more names of one object, around others', named(LIMITS.jsonNames + 1).replaceAll(':1', ':{}')],
  ['more names of an object in another', `[{"a":${named(LIMITS.jsonNames + 1)}}]`],
  ['more names in all', `[${Array.from({ length: 51 }, () => named(LIMITS.jsonNames)).join(',')}]`],
  ['more objects', `[${'{},'.repeat(LIMITS.jsonParts)}{}]`],
])('%s is refused', (_what, text) => {
  expect(() => parseJson(text)).toThrow(JsonTooComplex)
})

test('what stands in a text does not count', () => {
  const text = JSON.stringify([
    `${nested(1_000)}"\\`,
    ':'.repeat(LIMITS.jsonParts),
    '\\"['.repeat(1_000),
  ])
  expect(JSON.stringify(parseJson(text))).toBe(text)
})

test.each(['', '{', '"', '[1,]', '"\\', ']]]'])('what is no JSON is a syntax error: %j', (text) => {
  expect(() => parseJson(text)).toThrow(SyntaxError)
})
