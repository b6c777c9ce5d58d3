import { isNativeShell } from '#lib/native/is-native-shell.ts'
import { saveFile } from '#lib/native/save-file.ts'

/** The shown image as a file named for saving; one with an address is fetched. */
export async function imageFile(image: Blob | string, name: string): Promise<File> {
  const blob = typeof image === 'string' ? await fetchImage(image) : image
  const extension = blob.type.split('/')[1]?.replace('jpeg', 'jpg').replace('svg+xml', 'svg')
  return new File([blob], extension ? `${name}.${extension}` : name, { type: blob.type })
}

async function fetchImage(address: string): Promise<Blob> {
  const response = await fetch(address)
  if (!response.ok) throw new Error(`${address} responded with ${response.status}`)
  return response.blob()
}

export function saveImage(file: File): Promise<void> {
  return saveFile(file.name, file, file.type)
}

/** Whether this device has a share sheet for images. */
export function canShareImage(): boolean {
  if (isNativeShell()) return true
  const sample = new File([''], 'image.png', { type: 'image/png' })
  return navigator.canShare?.({ files: [sample] }) ?? false
}

export async function shareImage(file: File): Promise<void> {
  if (isNativeShell()) return saveImage(file)
  try {
    await navigator.share({ files: [file] })
  } catch (error) {
    // Closing the share sheet.
    if (!(error instanceof Error) || error.name !== 'AbortError') throw error
  }
}
