import { m } from '#lib/messages/messages.js'

/** An error the member must see, in the product's exact words, as a browser alert (product.md P130). */
export function notifyError(text: string) {
  window.alert(text)
}

/**
 * `showError('Error loading chats', error)` alerts "Error loading chats: {message}"; a message of the catalogue may have its own
 * place for it. A member who was asked to confirm that it is them, and did not, knows already.
 */
export function showError(text: string | ((words: { message: string }) => string), error: unknown) {
  if (isUnproven(error)) return
  const message = messageOf(error)
  notifyError(typeof text === 'string' ? `${text}: ${message}` : text({ message }))
}

/** Whether the member was to confirm that it is them first, and did not (proof.ts). */
export function isUnproven(error: unknown): boolean {
  const { code, status } = (error ?? {}) as { code?: unknown; status?: unknown }
  return code === 'PT428' || status === 428
}

type Translation = (error: object) => string | undefined

let translate: Translation | undefined

/** The server speaks English; its most common messages are translated. */
export function translateErrors(translation: Translation | undefined) {
  translate = translation
}

/**
 * Each browser words a lost connection differently, and code that did not arrive differently again; each client library wraps
 * the words in its own error.
 */
const LOST =
  /Failed to fetch|NetworkError|Load failed|fetch failed|network connection was lost|appears to be offline|error loading dynamically imported module|Importing a module script failed/
/** Statuses of a starting server, or of a proxy whose server is gone. */
const AWAY = [502, 503, 504]

/** Whether a response with this status comes from no server that works. */
export const isAway = (status: unknown): boolean => AWAY.includes(Number(status))

/** Whether the request failed on the way, so that the server has refused nothing. */
export function isUnreachable(error: unknown): boolean {
  const { message, status } = (error ?? {}) as { message?: unknown; status?: unknown }
  return LOST.test(String(message)) || isAway(status)
}

/** Whether the request failed because this device has no connection, as far as the browser knows. */
export function isOffline(error: unknown): boolean {
  return isUnreachable(error) && !navigator.onLine
}

/** Whether the server says that the caller may not have it: Postgres's insufficient_privilege, or a status of its own. */
export function isRefused(error: unknown): boolean {
  const { code, status } = (error ?? {}) as { code?: unknown; status?: unknown }
  return code === '42501' || status === 403
}

/** A service's refusal, with its status, like the client libraries' errors. */
export class ServerRefusal extends Error {
  readonly status: number
  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

/** The server is unreachable, and there is no copy on the device either. */
export class NeedsConnection extends Error {
  /** As far as the browser knows; if not, it is the server that does not respond. */
  readonly isOffline = !navigator.onLine

  constructor(cause: unknown) {
    super(navigator.onLine ? m.ui_needs_server() : m.ui_needs_connection(), { cause })
  }
}

/** The message of a thrown or returned error of any kind. */
export function messageOf(error: unknown): string {
  if (isUnreachable(error)) return navigator.onLine ? m.ui_no_answer() : m.ui_offline()
  if (typeof error === 'object' && error !== null && 'message' in error)
    return translate?.(error) ?? String(error.message)
  return String(error)
}
