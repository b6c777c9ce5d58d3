import { callFunction } from '#data/call-function.ts'
import { storedSession } from '#data/session/stored-session.ts'
import { isUnreachable } from '#lib/server/notify-error.ts'

type AppError = { kind: string; places: string[]; screen: string; browser: string }

/** Of one page: an error in a loop reports nothing new. */
const MOST = 10
const PLACES = 5

const reported = new Set<string>()

/**
 * Sends what the server takes (supabase/schemas/app_errors.sql): never the error's text, which may quote what somebody wrote.
 * Leaves out what is no fault of the app: lost connections, canceled requests, and code of extensions.
 */
export async function reportAppError(error: unknown): Promise<void> {
  const described = describeAppError(error)
  if (!described || !storedSession() || !navigator.onLine) return
  const key = JSON.stringify([described.kind, described.places])
  if (reported.has(key) || reported.size >= MOST) return
  reported.add(key)
  await callFunction('report_app_error', described).catch(() => undefined)
}

/** @returns null for what is no fault of the app */
export function describeAppError(error: unknown): AppError | null {
  if (!(error instanceof Error) || error.name === 'AbortError' || isUnreachable(error)) return null
  const places = placesIn(error.stack ?? '')
  if (places.length === 0) return null
  const kind = /^([A-Z][A-Za-z]{0,30})?(Error|Exception)$/.test(error.name) ? error.name : 'Error'
  return { kind, places, screen: screenOf(location.pathname), browser: browserOf(navigator) }
}

/** `index-B2.js:1:4711`: a built file with its hash, a line and a column, of files of this site only. */
function placesIn(stack: string): string[] {
  return stack
    .split('\n')
    .flatMap((line) => {
      const [, url = '', place = ''] =
        /([\w-]+:\/\/\S*?)([\w.-]+(?:\?\S*?)?:\d+:\d+)/.exec(line) ?? []
      return url.startsWith(`${location.origin}/`) ? place.replace(/\?[^:]*/, '') : []
    })
    .slice(0, PLACES)
}

/** Paths name rows and invitations: what is not the name of a screen becomes `:id`. */
function screenOf(path: string): string {
  const [area = '', screen] = path.split('/').filter(Boolean)
  if (!/^[a-z-]{0,40}$/.test(area)) return '/:id'
  if (screen === undefined) return `/${area}`
  const isNamed =
    ['admin', 'profile', 'supervision'].includes(area) && /^[a-z-]{1,40}$/.test(screen)
  return `/${area}/${isNamed ? screen : ':id'}`
}

// The first that matches: most browsers also call themselves by another's name.
const BROWSERS: [name: string, version: RegExp][] = [
  ['Edge', /Edg(?:A|iOS)?\/(\d{1,4})/],
  ['Samsung Internet', /SamsungBrowser\/(\d{1,4})/],
  ['Firefox', /(?:Firefox|FxiOS)\/(\d{1,4})/],
  ['Chrome', /(?:Chrome|CriOS)\/(\d{1,4})/],
  ['Safari', /Version\/(\d{1,4})\S* (?:Mobile\/\S+ )?Safari/],
]
const SYSTEMS: [name: string, pattern: RegExp][] = [
  ['Android', /Android/],
  ['iOS', /iPhone|iPad|iPod/],
  ['ChromeOS', /CrOS/],
  ['Windows', /Windows/],
  ['macOS', /Macintosh/],
  ['Linux', /Linux/],
]

function browserOf({ userAgent }: Navigator): string {
  const [name = 'Other', version] = BROWSERS.find(([, pattern]) => pattern.test(userAgent)) ?? []
  const system = SYSTEMS.find(([, pattern]) => pattern.test(userAgent))?.[0]
  const number = version?.exec(userAgent)?.[1]
  return [name, number, system && `on ${system}`].filter(Boolean).join(' ')
}
