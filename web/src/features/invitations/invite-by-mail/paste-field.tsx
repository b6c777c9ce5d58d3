import { ListPlus } from 'lucide-react'
import { useState, type ClipboardEvent } from 'react'
import { formatCount } from '#lib/i18n/format-count.ts'
import { m } from '#lib/messages/messages.js'
import { Button } from '#ui/button.tsx'
import { TextArea } from '#ui/text-area.tsx'
import { announce } from '#ui/toast-store.ts'
import { changeInviteList, readInviteList, type InviteList } from './invite-list-store.ts'
import { MOST_LINES, withText } from './invite-lines.ts'

/** About 5,000 rows of a wide spreadsheet. */
const LONGEST_TEXT = 500_000
const MOST_SHOWN_LEFT_OUT = 5

/** Where people are pasted or typed; a pasted list is read at once. */
export function PasteField({ name, list }: { name: string; list: InviteList }) {
  const [leftOut, setLeftOut] = useState<string[]>([])
  const [isTooLong, setIsTooLong] = useState(false)
  const isFull = list.typed !== '' && list.lines.length >= MOST_LINES

  function add(text: string) {
    setIsTooLong(text.length > LONGEST_TEXT)
    if (text.length > LONGEST_TEXT) return
    const read = withText(readInviteList(name), text)
    // Text in which nobody is found stays where it is.
    if (read.added === 0) return setLeftOut(read.leftOut.length > 0 ? read.leftOut : [text.trim()])
    setLeftOut(read.leftOut)
    changeInviteList(name, () => read.list)
    announce(m.invitations_added({ count: read.added }))
  }

  function paste(event: ClipboardEvent) {
    const text = event.clipboardData.getData('text/plain')
    if (list.typed !== '' || !text.includes('@')) return
    event.preventDefault()
    add(text)
  }

  return (
    <div className="grid grid-cols-1 gap-3">
      <TextArea
        label={m.invitations_people()}
        hint={m.invitations_people_hint()}
        placeholder={m.invitations_example()}
        error={
          isTooLong
            ? m.invitations_too_long()
            : isFull
              ? m.invitations_full({ most: formatCount(MOST_LINES) })
              : undefined
        }
        rows={3}
        value={list.typed}
        onPaste={paste}
        onChange={(event) => {
          setLeftOut([])
          changeInviteList(name, (before) => ({ ...before, typed: event.target.value }))
        }}
      />
      {leftOut.length > 0 && (
        <div role="status" className="text-note text-muted">
          <p>{m.invitations_left_out({ count: leftOut.length })}</p>
          <ul className="list-disc pl-5">
            {leftOut.slice(0, MOST_SHOWN_LEFT_OUT).map((line, at) => (
              <li key={at} className="truncate">
                {line}
              </li>
            ))}
          </ul>
        </div>
      )}
      {list.typed.trim() !== '' && (
        <Button variant="tint" isWaiting={isFull} onClick={() => add(list.typed)}>
          <ListPlus aria-hidden="true" className="size-5" />
          {m.invitations_add()}
        </Button>
      )}
    </div>
  )
}
