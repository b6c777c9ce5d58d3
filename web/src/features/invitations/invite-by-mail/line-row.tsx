import { CircleAlert, Copy, Trash2 } from 'lucide-react'
import { Link } from 'react-router'
import { LONGEST_NAME } from '#domain/member-name.ts'
import { m } from '#lib/messages/messages.js'
import { CellField } from '#ui/cell-field.tsx'
import { copyText } from '#ui/copy-text.ts'
import { IconButton } from '#ui/icon-button.tsx'
import type { KnownAddress } from '../invitation-queries.ts'
import { joinAddress } from '../join-address.ts'
import type { InviteLine } from './invite-list-store.ts'
import { addressOf, type LineProblem } from './line-problems.ts'
import { problemWords } from './problem-words.ts'

/** Shared with the headings above. */
export const LINE_COLUMNS = 'sm:grid-cols-[1fr_1fr_minmax(0,1.7fr)_auto]'

type LineRowProps = {
  line: InviteLine
  /** Its place in the list, from 1. */
  place: number
  problem: LineProblem | undefined
  /** The join link's, if there is one. */
  token: string | undefined
  isSending: boolean
  hasFocus: boolean
  onChange: (change: Partial<InviteLine>) => void
  onRemove: () => void
}

/** A person to be invited, to correct: a row of the table, or a card on a phone. */
export function LineRow({ line, place, problem, token, isSending, hasFocus, ...on }: LineRowProps) {
  const words = problemWords(line, problem)
  const noteId = `invite-line-${line.id}`
  const person = `${line.firstName} ${line.lastName}`.trim() || addressOf(line)
  const cell = {
    row: m.invitations_line({ place }),
    readOnly: isSending,
    autoComplete: 'off',
    'aria-describedby': words || line.others.length > 0 ? noteId : undefined,
  }
  return (
    <li className="grid grid-cols-1 gap-2 rounded-field border border-line p-3 sm:rounded-none sm:border-0 sm:border-t sm:px-0 sm:py-2">
      <div className={`grid grid-cols-2 gap-2 ${LINE_COLUMNS}`}>
        <CellField
          {...cell}
          label={m.invitations_first_name()}
          autoFocus={hasFocus}
          maxLength={LONGEST_NAME}
          value={line.firstName}
          onChange={(event) => on.onChange({ firstName: event.target.value })}
        />
        <CellField
          {...cell}
          label={m.invitations_last_name()}
          maxLength={LONGEST_NAME}
          value={line.lastName}
          onChange={(event) => on.onChange({ lastName: event.target.value })}
        />
        <div className="col-span-2 flex items-end gap-1 sm:contents">
          <CellField
            {...cell}
            type="email"
            label={m.invitations_email()}
            className="flex-1"
            aria-invalid={words ? true : undefined}
            value={line.email}
            onChange={(event) => on.onChange({ email: event.target.value, refusal: undefined })}
          />
          <div className="flex justify-end">
            {token && !problem && (
              <IconButton
                label={m.invitations_copy_for({ person })}
                icon={<Copy />}
                variant="quiet"
                onClick={() => void copyText(joinAddress(token, line), m.invitations_copied())}
              />
            )}
            <IconButton
              label={m.invitations_remove_line({ line: person || m.invitations_line({ place }) })}
              icon={<Trash2 />}
              variant="quiet"
              disabled={isSending}
              onClick={on.onRemove}
            />
          </div>
        </div>
      </div>
      <div id={noteId} className="grid gap-1 text-note empty:hidden">
        {words && (
          <p className="flex items-start gap-1.5 font-medium text-danger-text">
            <CircleAlert aria-hidden="true" className="mt-0.5 size-4 flex-none" />
            <span className="min-w-0 break-words">
              {words} {problem?.kind === 'known' && <WhereKnown known={problem.known} />}
            </span>
          </p>
        )}
        {line.others.length > 0 && (
          <p className="break-words text-muted">
            {m.invitations_line_others({ addresses: line.others.join(', ') })}
          </p>
        )}
      </div>
    </li>
  )
}

/** Leads to the member or the invitation. The lines are a draft, so leaving loses nothing. */
function WhereKnown({ known: { state, email } }: { known: KnownAddress }) {
  const isInvited = state === 'invited'
  const search = new URLSearchParams({ filter: isInvited ? 'pending' : state, search: email })
  const pathname = isInvited ? '/admin/invitations' : '/admin/members'
  return (
    <Link to={{ pathname, search: `?${search}` }} className="font-semibold underline">
      {isInvited ? m.invitations_line_show_invitation() : m.invitations_line_show()}
    </Link>
  )
}
