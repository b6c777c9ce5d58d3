import { useState } from 'react'
import { readDraft, writeDraft } from './drafts.ts'

/** Text that is still there after leaving the screen; empty it once it was sent. */
export function useDraft(name: string): [string, (text: string) => void] {
  const [text, setText] = useState(() => readDraft(name))
  function set(next: string) {
    setText(next)
    writeDraft(name, next)
  }
  return [text, set]
}
