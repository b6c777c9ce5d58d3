/** A failure the member must know of, in the exact words of the product's list, as a browser alert. */
export function notifyError(text: string) {
  window.alert(text)
}

/** `showError('Error loading chats', error)` alerts "Error loading chats: {message}". */
export function showError(text: string, error: unknown) {
  notifyError(`${text}: ${messageOf(error)}`)
}

type Translation = (error: object) => string | undefined

let translate: Translation | undefined

/** The server speaks English. Whoever reads another language gets what it says most often in that. */
export function translateErrors(translation: Translation | undefined) {
  translate = translation
}

/** What a thrown or returned error says, whatever its kind. */
export function messageOf(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'message' in error)
    return translate?.(error) ?? String(error.message)
  return String(error)
}
