// @vitest-environment node
import { expect, test } from 'vitest'
import { splitMessage } from './split-message.ts'

test('a text that fits stays one message', () => {
  expect(splitMessage('  Hello team ', 10)).toEqual(['Hello team'])
})

test('a long text is split between paragraphs, lines or words', () => {
  expect(splitMessage('One two\n\nthree four', 10)).toEqual(['One two', 'three four'])
  expect(splitMessage('One two\nthree four', 10)).toEqual(['One two', 'three four'])
  expect(splitMessage('One two three four', 10)).toEqual(['One two', 'three four'])
  expect(splitMessage('One\n\ntwo three four', 10)).toEqual(['One\n\ntwo', 'three four'])
})

test('a word longer than a message is cut, an emoji is not', () => {
  expect(splitMessage('x'.repeat(25), 10)).toEqual(['x'.repeat(10), 'x'.repeat(10), 'xxxxx'])
  expect(splitMessage(`${'x'.repeat(9)}😀y`, 10)).toEqual(['x'.repeat(9), '😀y'])
})

test('nothing of the text is lost, and no part is too long or blank', () => {
  const text = Array.from({ length: 3000 }, (_, n) => `word${n}${n % 7 ? ' ' : '\n'}`).join('')
  const parts = splitMessage(text, 400)
  expect(parts.join(' ').split(/\s+/)).toEqual(text.trim().split(/\s+/))
  expect(parts.every((part) => part.length > 0 && part.length <= 400)).toBe(true)
})
