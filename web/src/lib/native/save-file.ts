import { isNativeShell } from './is-native-shell.ts'

/**
 * Gives the member a file: a download in a browser. A phone's web view ignores downloads, so the share sheet
 * offers to save, send or open it.
 */
export async function saveFile(name: string, data: string | Blob, type: string) {
  if (isNativeShell()) return (await import('./share-file.ts')).shareFile(name, data)
  const address = URL.createObjectURL(new Blob([data], { type }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}
