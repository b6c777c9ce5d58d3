import { renderHook } from '@testing-library/react'
import { useLayoutEffect } from 'react'
import { expect, test } from 'vitest'
import { aMessage } from '#features/chat/model/chat-builders.ts'
import type { MessageWindow } from '#features/chat/model/message-window.ts'
import { useDrawnWindow } from './use-drawn-window.ts'

type Change = [from: number, to: number, isShift: boolean]

test.each<[string, from: [number, number], to: [number, number], drawn: Change[]]>([
  ['a page above', [101, 200], [51, 200], [[51, 200, true]]],
  ['a page below', [101, 200], [101, 250], [[101, 250, false]]],
  ['what is far below is forgotten', [51, 200], [51, 150], [[51, 150, false]]],
  ['what is far above is forgotten', [51, 200], [101, 200], [[101, 200, true]]],
  [
    'a page above while what is far below is forgotten',
    [101, 200],
    [51, 150],
    [
      [101, 150, false],
      [51, 150, true],
    ],
  ],
  [
    'a page above together with a live message',
    [101, 200],
    [51, 201],
    [
      [101, 201, false],
      [51, 201, true],
    ],
  ],
  [
    'a page below while what is far above is forgotten',
    [51, 200],
    [101, 250],
    [
      [51, 250, false],
      [101, 250, true],
    ],
  ],
  ['another part of the history', [151, 200], [1, 50], [[1, 50, false]]],
])('the list keeps its place: %s', (_, from, to, drawn) => {
  const { commits, rerender } = drawing(aWindow(...from))
  rerender(aWindow(...to))
  expect(commits).toEqual([[...from, false], ...drawn])
})

function drawing(initialProps: MessageWindow) {
  const commits: Change[] = []
  const { rerender } = renderHook(
    (window: MessageWindow) => {
      const drawn = useDrawnWindow(window)
      useLayoutEffect(() => {
        const { messages } = drawn.window
        commits.push([numberOf(messages[0]?.id), numberOf(messages.at(-1)?.id), drawn.isShift])
      }, [drawn])
    },
    { initialProps },
  )
  return { commits, rerender }
}

function aWindow(first: number, last: number): MessageWindow {
  const messages = Array.from({ length: last - first + 1 }, (_, n) =>
    aMessage({ id: `message ${first + n}` }),
  )
  return { messages, hasOlder: true, hasNewer: true, syncedTo: null }
}

const numberOf = (id = '') => Number(id.split(' ')[1])
