const HOUR_MS = 60 * 60 * 1000

/**
 * A chat's short timestamp: under 24 hours the time of day, under 168 hours the weekday, otherwise month and
 * day. A future time (clock skew) shows the time of day (product.md P76).
 */
export function formatChatTimestamp(
  sentAt: string,
  now: number,
  locale: string,
  timeZone?: string,
): string {
  const date = new Date(sentAt)
  const age = now - date.getTime()
  if (age < 24 * HOUR_MS) return formatTimeOfDay(sentAt, locale, timeZone)
  if (age < 168 * HOUR_MS) return format(date, locale, { weekday: 'short', timeZone })
  return format(date, locale, { month: 'short', day: 'numeric', timeZone })
}

export function formatTimeOfDay(sentAt: string, locale: string, timeZone?: string): string {
  return format(new Date(sentAt), locale, { hour: 'numeric', minute: '2-digit', timeZone })
}

/** The full timestamp, shown on focus or long press where the short form leaves something out. */
export function formatFullTime(sentAt: string, locale: string, timeZone?: string): string {
  return format(new Date(sentAt), locale, { dateStyle: 'full', timeStyle: 'short', timeZone })
}

function format(date: Date, locale: string, options: Intl.DateTimeFormatOptions): string {
  // Newer ICU data puts a narrow no-break space before AM and PM, older data a regular one.
  return formatter(locale, options)
    .format(date)
    .replace(/\u202f/g, ' ')
}

const formatters = new Map<string, Intl.DateTimeFormat>()

// Creating a formatter is far more expensive than using it, and a thread shows hundreds of times.
function formatter(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${JSON.stringify(options)}`
  const known = formatters.get(key) ?? new Intl.DateTimeFormat(locale, options)
  formatters.set(key, known)
  return known
}
