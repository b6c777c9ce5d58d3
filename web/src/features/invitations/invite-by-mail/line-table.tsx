import { Plus } from 'lucide-react'
import { useState } from 'react'
import { formatCount } from '#lib/i18n/format-count.ts'
import { m } from '#lib/messages/messages.js'
import { Button } from '#ui/button.tsx'
import { ShowMore } from '#ui/show-more.tsx'
import { TextButton } from '#ui/text-button.tsx'
import { showToast } from '#ui/toast-store.ts'
import { blankLine, isBlank, MOST_LINES } from './invite-lines.ts'
import { changeInviteList, type InviteLine, type InviteList } from './invite-list-store.ts'
import { LINE_COLUMNS, LineRow } from './line-row.tsx'
import type { LineProblem } from './line-problems.ts'

/** Lines drawn at first, and with each press on "Show more". */
const STEP = 50

type LineTableProps = {
  /** Of the draft. */
  name: string
  list: InviteList
  problems: ReadonlyMap<string, LineProblem>
  token: string | undefined
  isSending: boolean
}

/** Everybody about to be invited, to check and to correct before anything is sent. */
export function LineTable({ name, list, problems, token, isSending }: LineTableProps) {
  const [shown, setShown] = useState(STEP)
  const [focusId, setFocusId] = useState<string>()
  // The lines as they were when this was pressed: a line must not vanish while it is being corrected.
  const [only, setOnly] = useState<ReadonlySet<string>>()
  const { lines } = list
  const wrong = lines.filter(({ id }) => problems.has(id))
  const listed = lines.map((line, at) => ({ line, place: at + 1 }))
  const visible = only ? listed.filter(({ line }) => only.has(line.id)) : listed

  function change(id: string, next: (line: InviteLine) => InviteLine[]) {
    changeInviteList(name, (before) => ({
      ...before,
      lines: before.lines.flatMap((line) => (line.id === id ? next(line) : [line])),
    }))
  }

  function addLine() {
    const line = blankLine()
    setOnly(undefined)
    setFocusId(line.id)
    setShown(lines.length + 1)
    changeInviteList(name, (before) => ({ ...before, lines: [...before.lines, line] }))
  }

  function clear() {
    const before = list
    changeInviteList(name, () => ({ typed: before.typed, lines: [] }))
    showToast(m.invitations_cleared(), () =>
      changeInviteList(name, (now) => ({ ...now, lines: [...before.lines, ...now.lines] })),
    )
  }

  return (
    <div className="grid grid-cols-1 gap-2.5">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <p role="status" className="font-semibold">
          {m.invitations_lines({ count: lines.filter((line) => !isBlank(line)).length })}
        </p>
        {only ? (
          <TextButton onClick={() => setOnly(undefined)}>{m.invitations_show_all()}</TextButton>
        ) : (
          wrong.length > 0 &&
          wrong.length < lines.length && (
            <TextButton onClick={() => setOnly(new Set(wrong.map(({ id }) => id)))}>
              {m.invitations_show_wrong({ count: wrong.length })}
            </TextButton>
          )
        )}
      </div>
      {visible.length > 0 && <ColumnHeads />}
      <ul className="grid grid-cols-1 gap-2.5 sm:gap-0">
        {visible.slice(0, shown).map(({ line, place }) => (
          <LineRow
            key={line.id}
            line={line}
            place={place}
            problem={problems.get(line.id)}
            token={token}
            isSending={isSending}
            hasFocus={line.id === focusId}
            onChange={(next) => change(line.id, (before) => [{ ...before, ...next }])}
            onRemove={() => change(line.id, () => [])}
          />
        ))}
      </ul>
      <ShowMore
        hasMore={visible.length > shown}
        shown={shown}
        total={visible.length}
        onMore={() => setShown(shown + STEP)}
      />
      <div className="flex flex-wrap items-center gap-3">
        <Button
          variant="ghost"
          size="sm"
          isWaiting={isSending || lines.length >= MOST_LINES}
          onClick={addLine}
        >
          <Plus aria-hidden="true" className="size-5" />
          {m.invitations_add_line()}
        </Button>
        {lines.length > 0 && (
          <TextButton tone="muted" disabled={isSending} onClick={clear}>
            {m.invitations_clear()}
          </TextButton>
        )}
        {lines.length >= MOST_LINES && (
          <p className="text-note text-muted">
            {m.invitations_full({ most: formatCount(MOST_LINES) })}
          </p>
        )}
      </div>
    </div>
  )
}

function ColumnHeads() {
  return (
    <div
      aria-hidden="true"
      className={`hidden gap-2 text-caption font-semibold text-muted sm:grid ${LINE_COLUMNS}`}
    >
      <span>{m.invitations_first_name()}</span>
      <span>{m.invitations_last_name()}</span>
      <span>{m.invitations_email()}</span>
      <span className="w-11" />
    </div>
  )
}
