import { isNativeShell } from './is-native-shell.ts'

/**
 * Hands the member a file: a download in a browser. A phone's web view ignores those, so there its own sheet asks what to
 * do with it: keep it, send it, open it with the calendar.
 */
export async function giveFile(name: string, text: string, type: string) {
  if (isNativeShell()) return (await import('./share-file.ts')).shareFile(name, text)
  const address = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}
