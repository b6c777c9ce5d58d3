import { Directory, Encoding, Filesystem } from '@capacitor/filesystem'
import { Share } from '@capacitor/share'

/**
 * The phone's share sheet; the file is in the cache folder, which the system cleans up. Browsers never load
 * this.
 */
export async function shareFile(name: string, data: string | Blob) {
  const { uri } = await Filesystem.writeFile({
    path: name,
    directory: Directory.Cache,
    // Without an encoding the plugin expects base64.
    ...(typeof data === 'string'
      ? { data, encoding: Encoding.UTF8 }
      : { data: await base64(data) }),
  })
  try {
    await Share.share({ files: [uri] })
  } catch (error) {
    // Closing the sheet is not an error, though both systems report one.
    if (!/cancell?ed/i.test(String(error))) throw error
  }
}

async function base64(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}
