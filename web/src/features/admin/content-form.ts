import * as v from 'valibot'
import { WEEKDAYS, type Weekday } from '#domain/weekdays.ts'
import { completeAddress } from '#lib/complete-address.ts'
import { m } from '#lib/messages/messages.js'
import type { ContentType } from './content-types.ts'
import type { ManagedItem } from './managed-item.ts'

/** The raw form fields, before they become a row. */
export type ContentForm = {
  title: string
  description: string
  url: string
  image_url: string
  image_alt: string
  category: string
  sort_order: string
  day_of_week: Weekday
  start_time: string
  end_time: string
  meeting_id: string
  meeting_password: string
}

function isWebAddress(text: string): boolean {
  return text === '' || (URL.canParse(text) && /^https?:\/\/[^\s/?#]+\S*$/i.test(text))
}

const trimmed = v.pipe(v.string(), v.trim())
const short = (length: number) =>
  v.pipe(
    trimmed,
    v.maxLength(length, () => m.admin_too_long({ length })),
  )

const fields = {
  title: v.pipe(
    trimmed,
    v.nonEmpty(() => m.admin_title_required()),
    v.maxLength(200, () => m.admin_too_long({ length: 200 })),
  ),
  description: short(10_000),
  url: v.pipe(
    short(2000),
    v.transform(completeAddress),
    v.check(isWebAddress, () => m.admin_url_invalid()),
  ),
  image_url: trimmed,
  image_alt: short(300),
  category: v.string(),
  sort_order: v.pipe(
    trimmed,
    v.regex(/^$|^-?\d{1,9}$/, () => m.admin_sort_order_invalid()),
  ),
  day_of_week: v.picklist(WEEKDAYS),
  start_time: v.string(),
  end_time: v.string(),
  meeting_id: short(100),
  meeting_password: short(100),
}

/** The form's rules (product.md P37, P43); times only matter for schedule items. */
export function contentFormSchema(type: ContentType) {
  if (type.id !== 'schedule') return v.object(fields)
  return v.pipe(
    v.object(fields),
    v.forward(
      v.check(
        ({ start_time, end_time }) => start_time !== '' && end_time !== '',
        () => m.admin_times_required(),
      ),
      ['start_time'],
    ),
    v.forward(
      v.check(
        ({ start_time, end_time }) => !start_time || !end_time || start_time < end_time,
        () => m.admin_times_order(),
      ),
      ['start_time'],
    ),
  )
}

/** The form's initial values, for an item or a new one. */
export function formOf(type: ContentType, item?: ManagedItem): ContentForm {
  return {
    title: item?.title ?? '',
    description: item?.description ?? '',
    url: item?.url ?? '',
    image_url: item?.image_url ?? '',
    image_alt: item?.image_alt ?? '',
    category: item?.category ?? type.categories[0]!.id,
    sort_order: item ? String(item.sort_order) : '',
    day_of_week: item?.day_of_week ?? 'Monday',
    start_time: item?.start_time?.slice(0, 5) ?? '',
    end_time: item?.end_time?.slice(0, 5) ?? '',
    meeting_id: item?.meeting_id ?? '',
    meeting_password: item?.meeting_password ?? '',
  }
}

/**
 * The row to write, without its place. Times, day and meeting details are dropped for every type but the schedule (product.md
 * P43).
 */
export function rowOf(type: ContentType, form: ContentForm) {
  const orNull = (text: string) => text.trim() || null
  const row = {
    title: form.title.trim(),
    description: orNull(form.description),
    url: orNull(form.url),
    image_url: orNull(form.image_url),
    image_alt: orNull(form.image_alt),
    category: form.category,
  }
  if (type.id !== 'schedule') return row
  return {
    ...row,
    day_of_week: form.day_of_week,
    start_time: form.start_time,
    end_time: form.end_time,
    meeting_id: orNull(form.meeting_id),
    meeting_password: orNull(form.meeting_password),
  }
}
