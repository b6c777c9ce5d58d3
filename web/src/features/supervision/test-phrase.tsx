import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callFunction } from '#data/call-function.ts'
import { m } from '#lib/messages/messages.js'
import { useDebouncedValue } from '#lib/use-debounced-value.ts'
import { TextArea } from '#ui/text-area.tsx'
import { phraseOf } from './supervision-words.ts'

const SETTLE_MS = 250

/** Tries a text: what of the lexicon would catch it. */
export function TestPhrase() {
  const [typed, setTyped] = useState('')
  const words = useDebouncedValue(typed.trim(), SETTLE_MS)
  const { data } = useQuery({
    queryKey: ['review_items', 'test', words],
    enabled: words !== '',
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => callFunction('test_lexicon', { words }, signal),
  })
  return (
    <div className="grid gap-2">
      <TextArea
        label={m.supervision_test()}
        hint={m.supervision_test_hint()}
        rows={2}
        maxLength={4000}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      {/* Keeps its line, so that the list stays where it is. */}
      <p role="status" className="min-h-6 wrap-anywhere">
        {words &&
          data &&
          (data.length > 0
            ? m.supervision_test_caught({ phrases: data.map(phraseOf).join(', ') })
            : m.supervision_test_free())}
      </p>
    </div>
  )
}
