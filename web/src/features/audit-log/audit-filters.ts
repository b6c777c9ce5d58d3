import { AUDIT_KINDS, type AuditKind } from './audit-kinds.ts'

const PERIODS = ['any', 'today', 'week', 'month', 'days'] as const
export type Period = (typeof PERIODS)[number]

/** What the log is narrowed down to, besides words; empty is everything. */
export type AuditFilters = {
  kind: AuditKind | ''
  /** The id of who did it, or `server`. */
  by: string
  /** The id of a member concerned. */
  about: string
  when: Period
  /** Days such as 2026-11-20, for the period `days`. */
  from: string
  to: string
}

/** In place of a member's id: done by nobody who was signed in. */
export const SERVER = 'server'

const UNSET: AuditFilters = {
  kind: '',
  by: '',
  about: '',
  when: 'any',
  from: '',
  to: '',
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Reads the filters from the address, where they survive a reload; ignores what makes no sense. */
export function filtersIn(address: URLSearchParams): AuditFilters {
  const valid = (name: string, isValid: (value: string) => boolean) => {
    const value = address.get(name) ?? ''
    return isValid(value) ? value : ''
  }
  return {
    kind: AUDIT_KINDS.find((kind) => kind === address.get('kind')) ?? '',
    by: valid('by', (value) => value === SERVER || ID.test(value)),
    about: valid('about', (value) => ID.test(value)),
    when: PERIODS.find((when) => when === address.get('when')) ?? 'any',
    from: valid('from', isDay),
    to: valid('to', isDay),
  }
}

/** The address of these filters, without those that are not set. */
export function addressOf(filters: Partial<AuditFilters>): URLSearchParams {
  const set = Object.entries(filters).filter(
    ([name, value]) => value !== UNSET[name as keyof AuditFilters],
  )
  return new URLSearchParams(set)
}

/** The period in the viewer's time zone, from the start of its first day to the end of its last. */
export function timesOf({ when, from, to }: AuditFilters, now: number) {
  const days = { any: null, today: 0, week: 6, month: 29, days: null }[when]
  if (when === 'days') return { since: startOf(from), until: startOf(to, 1) }
  return { since: days === null ? null : startOf(now, -days), until: null }
}

/** The first moment of a day, or of one some days later; null without a day. */
function startOf(day: string | number, later = 0): string | null {
  if (day === '') return null
  // A time without a zone is in the viewer's.
  const date = new Date(typeof day === 'string' ? `${day}T00:00` : day)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + later).toISOString()
}

const isDay = (value: string) =>
  /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value))
