import { formatLocale } from '#lib/i18n/format-locale.ts'

/** The zones of a US team, from east to west, before all others. */
const US_ZONES = [
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Phoenix',
  'America/Los_Angeles',
  'America/Anchorage',
  'Pacific/Honolulu',
  'America/Puerto_Rico',
]

/** Every time zone, those of the US first; `own` is there whatever the browser lists. */
export function timeZones(own: string): string[] {
  return [...new Set([...US_ZONES, own, ...Intl.supportedValuesOf('timeZone')])]
}

/** "Eastern Time (New York)" for a US zone, else the zone's own name. */
export function timeZoneName(zone: string): string {
  const place = zone.replaceAll('_', ' ')
  if (!US_ZONES.includes(zone)) return place
  const name = new Intl.DateTimeFormat(formatLocale(), {
    timeZone: zone,
    timeZoneName: 'longGeneric',
  })
    .formatToParts()
    .find(({ type }) => type === 'timeZoneName')?.value
  return name ? `${name} (${place.split('/').at(-1)})` : place
}

/** The name as a line of its own, which begins with a capital also in Spanish: "Hora oriental (New York)". */
export function timeZoneLine(zone: string): string {
  const name = timeZoneName(zone)
  return name.charAt(0).toLocaleUpperCase(formatLocale()) + name.slice(1)
}
