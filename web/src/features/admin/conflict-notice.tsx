import { TriangleAlert } from 'lucide-react'
import { weekdayName } from '#domain/weekdays.ts'
import { m } from '#lib/messages/messages.js'
import { Button } from '#ui/button.tsx'
import { formOf, type ContentForm } from './content-form.ts'
import type { ContentType } from './content-types.ts'
import type { ManagedItem } from './managed-item.ts'

type Props = {
  type: ContentType
  /** The version the form began with; undefined for a new item. */
  base: ManagedItem | undefined
  /** The saved version; null if the item no longer exists. */
  current: ManagedItem | null
  onTheirs: (current: ManagedItem) => void
  onMine: () => void
}

/** Lets the second of two admins read what the first changed and choose, instead of the last write winning. */
export function ConflictNotice({ type, base, current, onTheirs, onMine }: Props) {
  const isGone = !current?.is_active
  return (
    <div role="alert" className="grid gap-3 rounded-card bg-danger-tint p-4">
      <p className="flex items-center gap-2 font-semibold text-danger-text">
        <TriangleAlert aria-hidden="true" className="size-5 flex-none" />
        {m.admin_conflict_title()}
      </p>
      <p>{isGone ? m.admin_conflict_gone() : m.admin_conflict_text()}</p>
      {current && !isGone && (
        <dl className="grid gap-2 text-small">
          {theirChanges(type, base, current).map(({ key, label, text }) => (
            <div key={key}>
              <dt className="text-muted">{label}</dt>
              <dd className="max-h-40 overflow-y-auto wrap-anywhere whitespace-pre-line">
                {text || m.admin_conflict_empty()}
              </dd>
            </div>
          ))}
        </dl>
      )}
      <div className="flex flex-wrap gap-3">
        {current && !isGone && (
          <Button onClick={() => onTheirs(current)}>{m.admin_conflict_theirs()}</Button>
        )}
        <Button variant={isGone ? 'primary' : 'ghost'} onClick={onMine}>
          {isGone ? m.admin_conflict_restore() : m.admin_conflict_mine()}
        </Button>
      </div>
    </div>
  )
}

const LABELS: Record<keyof ContentForm, () => string> = {
  title: m.admin_field_title,
  description: m.admin_field_description,
  url: m.admin_field_url,
  image_url: m.admin_field_image,
  image_alt: m.admin_field_image_alt,
  category: m.admin_category,
  sort_order: m.admin_field_sort_order,
  day_of_week: m.admin_field_day,
  start_time: m.admin_field_start,
  end_time: m.admin_field_end,
  meeting_id: m.admin_field_meeting_id,
  meeting_password: m.admin_field_meeting_password,
}

/** The fields that another admin saved differently, as the form shows them. */
function theirChanges(type: ContentType, base: ManagedItem | undefined, current: ManagedItem) {
  const [before, now] = [formOf(type, base), formOf(type, current)]
  return (Object.keys(LABELS) as (keyof ContentForm)[])
    .filter((key) => now[key] !== before[key])
    .map((key) => ({ key, label: LABELS[key](), text: textOf(type, now, key) }))
}

function textOf(type: ContentType, form: ContentForm, key: keyof ContentForm): string {
  if (key === 'day_of_week') return weekdayName(form.day_of_week)
  if (key === 'category')
    return type.categories.find(({ id }) => id === form.category)?.name() ?? ''
  if (key === 'image_url') return form.image_url && m.admin_conflict_image()
  return form[key]
}
