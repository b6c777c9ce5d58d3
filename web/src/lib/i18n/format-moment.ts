import { formatLocale } from './format-locale.ts'

/** The viewer's own time zone, as the device reports it. */
export function viewerZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** Date and time in the viewer's language and zone. */
export function formatMoment(at: string): string {
  const format = new Intl.DateTimeFormat(formatLocale(), {
    dateStyle: 'medium',
    timeStyle: 'short',
  })
  return format.format(new Date(at))
}

let spreadsheetFormat: Intl.DateTimeFormat | undefined

/** Date and time in the viewer's zone as spreadsheets read them: 2026-11-20 15:04:05. */
export function spreadsheetMoment(at: string): string {
  // Swedish is written like that.
  spreadsheetFormat ??= new Intl.DateTimeFormat('sv', { dateStyle: 'short', timeStyle: 'medium' })
  return spreadsheetFormat.format(new Date(at))
}
