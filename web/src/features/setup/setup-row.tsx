import { Check, ChevronRight } from 'lucide-react'
import { Link } from 'react-router'
import { m } from '#lib/messages/messages.js'
import { classNames } from '#ui/class-names.ts'
import { Pressable } from '#ui/pressable.tsx'
import type { ExplainedItem, SetupItem } from './setup-items.ts'

const LOOK =
  'flex min-h-target w-full items-center gap-3 rounded-field px-2 py-2 text-left transition hover:bg-tint'

type Props = { item: SetupItem; onExplain: (id: ExplainedItem['id']) => void }

/** One part of the set-up; leads to where it is done, or explains how. */
export function SetupRow({ item, onExplain }: Props) {
  const words = <Words item={item} />
  return 'to' in item ? (
    <Link to={item.to} className={LOOK}>
      {words}
    </Link>
  ) : (
    <Pressable className={LOOK} onClick={() => onExplain(item.id)}>
      {words}
    </Pressable>
  )
}

function Words({ item: { name, hint, isDone } }: Pick<Props, 'item'>) {
  return (
    <>
      <span
        aria-hidden="true"
        className={classNames(
          'grid size-6 flex-none place-items-center rounded-full border-2',
          isDone ? 'border-success bg-success text-card' : 'border-field-line',
        )}
      >
        {isDone && <Check className="size-4" strokeWidth={3} />}
      </span>
      <span className="min-w-0 flex-1">
        <span className={classNames('block font-semibold', isDone && 'text-muted')}>
          {name()}
          {isDone && <span className="sr-only">: {m.setup_done()}</span>}
        </span>
        {!isDone && <span className="block text-note text-muted">{hint()}</span>}
      </span>
      <ChevronRight aria-hidden="true" className="size-5 flex-none text-muted" />
    </>
  )
}
