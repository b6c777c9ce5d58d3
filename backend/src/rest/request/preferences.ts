// The Prefer and Preference-Applied headers.

export type Preferences = {
  resolution: 'merge-duplicates' | 'ignore-duplicates' | null
  representation: 'representation' | 'minimal' | 'headers-only' | null
  count: 'exact' | 'planned' | 'estimated' | null
  transaction: 'commit' | 'rollback' | null
  missing: 'default' | 'null' | null
  handling: 'strict' | 'lenient' | null
  timezone: string | null
  maxAffected: number | null
  invalid: string[]
}

const CHOICES = {
  resolution: ['merge-duplicates', 'ignore-duplicates'],
  return: ['representation', 'minimal', 'headers-only'],
  count: ['exact', 'planned', 'estimated'],
  tx: ['commit', 'rollback'],
  missing: ['default', 'null'],
  handling: ['strict', 'lenient'],
} as const
const FIELDS = {
  resolution: 'resolution',
  return: 'representation',
  count: 'count',
  tx: 'transaction',
  missing: 'missing',
  handling: 'handling',
} as const

const TIME_ZONE = 'timezone='

/** @param allowTransaction whether the client may use `tx=` */
export function parsePreferences(header: string | null, allowTransaction: boolean): Preferences {
  const preferences: Preferences = {
    resolution: null,
    representation: null,
    count: null,
    transaction: null,
    missing: null,
    handling: null,
    timezone: null,
    maxAffected: null,
    invalid: [],
  }
  if (!header) return preferences
  let hasTimeZone = false
  for (const part of header.split(',')) {
    const text = part.trim()
    // Only the first one counts, and looking up a name is expensive.
    if (text.startsWith(TIME_ZONE) && hasTimeZone) continue
    hasTimeZone ||= text.startsWith(TIME_ZONE)
    if (text !== '' && !apply(preferences, text)) preferences.invalid.push(text)
  }
  if (!allowTransaction) preferences.transaction = null
  return preferences
}

function apply(preferences: Preferences, text: string): boolean {
  const equals = text.indexOf('=')
  const name = text.slice(0, equals)
  const value = text.slice(equals + 1)
  if (name === 'timezone') {
    if (!isTimeZone(value)) return false
    preferences.timezone = value
    return true
  }
  if (name === 'max-affected') {
    if (/^\d{1,15}$/.test(value)) preferences.maxAffected ??= Number(value)
    return true
  }
  if (!Object.hasOwn(CHOICES, name)) return false
  const key = name as keyof typeof CHOICES
  if (!(CHOICES[key] as readonly string[]).includes(value)) return false
  const chosen = preferences as Record<(typeof FIELDS)[typeof key], string | null>
  chosen[FIELDS[key]] ??= value
  return true
}

// Only names: Postgres interprets a bare offset with the opposite sign.
function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][\w+\-/]{0,60}$/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

type Applicable = 'resolution' | 'missing' | 'representation' | 'count' | 'maxAffected'

/** The Preference-Applied header. `which` lists the preferences that apply to this kind of request. */
export function appliedPreferences(
  preferences: Preferences,
  which: readonly Applicable[],
): string | null {
  const { resolution, missing, representation, count, transaction, handling, timezone } =
    preferences
  const has = (name: Applicable) => which.includes(name)
  const applied: string[] = []
  if (resolution && has('resolution')) applied.push(`resolution=${resolution}`)
  if (missing && has('missing')) applied.push(`missing=${missing}`)
  if (representation && has('representation')) applied.push(`return=${representation}`)
  if (count && has('count')) applied.push(`count=${count}`)
  if (transaction) applied.push(`tx=${transaction}`)
  if (handling) applied.push(`handling=${handling}`)
  if (timezone) applied.push(`timezone=${timezone}`)
  if (preferences.maxAffected !== null && handling === 'strict' && has('maxAffected')) {
    applied.push(`max-affected=${preferences.maxAffected}`)
  }
  return applied.length > 0 ? applied.join(', ') : null
}
