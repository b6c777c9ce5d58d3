import { useLayoutEffect, useState } from 'react'
import type { MessageWindow } from '#features/chat/model/message-window.ts'

export type Drawn = {
  window: MessageWindow
  /** Whether only its beginning differs from what was drawn before: then the list keeps its place. */
  isShift: boolean
}

/**
 * The window as the list is to draw it. Where both ends change at once (a page came while the other end was forgotten, or
 * together with a live message), they are drawn one after the other: the list can keep its place for one of them only.
 */
export function useDrawnWindow(window: MessageWindow): Drawn {
  const [drawn, setDrawn] = useState({ window, isShift: false, target: window })
  if (drawn.target !== window) setDrawn({ ...nextDrawn(drawn.window, window), target: window })
  useLayoutEffect(() => {
    if (drawn.window !== drawn.target)
      // oxlint-disable-next-line react/set-state-in-effect -- the list is to be drawn in between
      setDrawn({ ...nextDrawn(drawn.window, drawn.target), target: drawn.target })
  }, [drawn])
  return drawn
}

/** The next window to draw on the way from one to another: with the new end first, then with the new beginning. */
export function nextDrawn(from: MessageWindow, to: MessageWindow): Drawn {
  const isSameStart = from.messages[0]?.id === to.messages[0]?.id
  const isSameEnd = from.messages.at(-1)?.id === to.messages.at(-1)?.id
  if (isSameStart || isSameEnd) return { window: to, isShift: !isSameStart }
  const oldStart = to.messages.findIndex(({ id }) => id === from.messages[0]?.id)
  const newStart = from.messages.findIndex(({ id }) => id === to.messages[0]?.id)
  if (oldStart < 0 && newStart < 0) return { window: to, isShift: false }
  const messages =
    oldStart >= 0
      ? to.messages.slice(oldStart)
      : [...from.messages.slice(0, newStart), ...to.messages]
  return { window: { ...to, messages, hasOlder: from.hasOlder }, isShift: false }
}
