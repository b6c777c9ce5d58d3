import { Directory, Encoding, Filesystem } from '@capacitor/filesystem'
import { Share } from '@capacitor/share'

/** The phone's share sheet; the file lies where the phone tidies up by itself. Browsers never load this. */
export async function shareFile(name: string, data: string) {
  const { uri } = await Filesystem.writeFile({
    path: name,
    data,
    directory: Directory.Cache,
    encoding: Encoding.UTF8,
  })
  try {
    await Share.share({ files: [uri] })
  } catch (error) {
    // Closing the sheet is an answer, though both systems call it a failure.
    if (!/cancell?ed/i.test(String(error))) throw error
  }
}
