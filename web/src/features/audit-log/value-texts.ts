import type { Json } from '#data/database.types.ts'
import { clockTime } from '#domain/clock-time.ts'
import { LICENSING_CATEGORIES, TRAINING_CATEGORIES } from '#domain/content-categories.ts'
import { LEXICON_CATEGORIES } from '#domain/lexicon-categories.ts'
import { WEEKDAYS, weekdayName } from '#domain/weekdays.ts'
import { formatCount } from '#lib/i18n/format-count.ts'
import { formatLocale } from '#lib/i18n/format-locale.ts'
import { formatMoment } from '#lib/i18n/format-moment.ts'
import { m } from '#lib/messages/messages.js'
import type { AuditEntry } from './audit-queries.ts'
import { nameIn } from './entry-names.ts'

type Recorded = Json | undefined

/** How the database records a long text, a long list and a secret. */
type Shortened = {
  text?: string
  skipped?: number
  items?: Json[]
  length?: number
  hidden?: boolean
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const WORDS: Record<string, Record<string, () => string>> = {
  role: { admin: m.audit_value_admin, user: m.audit_value_user },
  audience_role: { admin: m.audit_value_admin, user: m.audit_value_user },
  status: {
    waiting: m.audit_value_waiting,
    active: m.audit_value_active,
    suspended: m.audit_value_suspended,
    removed: m.audit_value_removed,
    declined: m.audit_value_declined,
    deleted: m.audit_value_deleted,
  },
  registration: {
    open: m.audit_value_open,
    approval: m.audit_value_approval,
    invitation: m.audit_value_invitation,
  },
  audience: {
    all: m.audit_value_everybody,
    role: m.audit_value_by_role,
    chat: m.audit_value_chat,
    members: m.audit_value_members,
  },
  category: {
    ...LEXICON_CATEGORIES,
    ...Object.fromEntries(
      [...TRAINING_CATEGORIES, ...LICENSING_CATEGORIES].map(({ id, name }) => [id, name]),
    ),
  },
  language: { en: () => 'English', es: () => 'Español' },
  day_of_week: Object.fromEntries(WEEKDAYS.map((day) => [day, () => weekdayName(day)])),
}

/** A recorded value in the reader's words. */
export function valueText(entry: AuditEntry, column: string, value: Recorded): string {
  if (value === null || value === undefined || value === '') return emptyText(entry, column)
  if (typeof value === 'boolean') return value ? m.audit_on() : m.audit_off()
  if (typeof value === 'number') return numberText(column, value)
  if (Array.isArray(value)) return listText(entry, column, value, value.length)
  if (typeof value === 'object') return shortenedText(entry, column, value)
  if (ID.test(value)) return nameIn(entry, value)
  if (column === 'start_time' || column === 'end_time') return clockTime(value)
  if (/_at$|^scheduled_for$/.test(column)) return formatMoment(value)
  if (column === 'time_zone') return value.replaceAll('_', ' ')
  return WORDS[column]?.[value]?.() ?? value
}

/** What nothing means: the share of a line is then the team's, and house rules are the app's. */
function emptyText({ kind }: AuditEntry, column: string): string {
  if (column === 'percent') return m.audit_sampling_as_team()
  return kind === 'rules' && column === 'body' ? m.audit_rules_default() : m.audit_empty()
}

function numberText(column: string, value: number): string {
  if (column !== 'percent') return formatCount(value)
  const format = { style: 'percent', maximumFractionDigits: 2 } as const
  return new Intl.NumberFormat(formatLocale(), format).format(value / 100)
}

function shortenedText(entry: AuditEntry, column: string, value: Shortened): string {
  const { text, skipped = 0, items, length = 0, hidden } = value
  if (hidden) return m.audit_hidden()
  if (items) return listText(entry, column, items, length)
  const start = skipped > 0 ? '…' : ''
  const end = skipped + (text?.length ?? 0) < length ? '…' : ''
  return `${start}${text}${end} (${m.audit_length({ count: formatCount(length) })})`
}

function listText(entry: AuditEntry, column: string, items: Json[], length: number): string {
  if (length === 0) return m.audit_empty()
  const texts = items.map((item) => valueText(entry, column, item))
  const left = length - items.length
  if (left > 0) texts.push(m.audit_more({ count: formatCount(left) }))
  return texts.join(', ')
}

const SHORT = 40

/** The same if it is short enough for a sentence. */
export function shortText(entry: AuditEntry, column: string, value: Recorded): string | undefined {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return undefined
  const text = valueText(entry, column, value)
  return text.length <= SHORT ? text : undefined
}
