import { storage } from '#data/supabase.ts'
import { isNativeShell } from '#lib/native/is-native-shell.ts'
import { saveFile } from '#lib/native/save-file.ts'
import type { FileAttachment } from './attachments.ts'

const PDF = 'application/pdf'
/** Long enough to follow the address once. */
const OPEN_SECONDS = 60
/** A player reads on at the same address; the server checks the member's rights each time. */
const PLAY_SECONDS = 3600

const bucket = async () => (await storage()).from('chat-images')

/** Opens a PDF in a tab of its own, in the browser's viewer, and saves any other file. */
export async function openChatFile(file: FileAttachment, isLook: boolean): Promise<void> {
  // A look reads with the supervisor's rights, for which no address is signed; phones' web views follow no downloads.
  if (isLook || isNativeShell()) return saveChatFile(file, isLook)
  // Opened before the request: later, browsers take it for a pop-up.
  const tab = file.type === PDF ? window.open('', '_blank') : null
  try {
    const address = await signedAddress(file.path, OPEN_SECONDS, tab ? undefined : file.name)
    if (!tab) return follow(address)
    tab.opener = null
    tab.location.replace(address)
  } catch (error) {
    tab?.close()
    throw error
  }
}

export function mediaAddress({ path }: FileAttachment): Promise<string> {
  return signedAddress(path, PLAY_SECONDS)
}

async function signedAddress(path: string, seconds: number, saveAs?: string): Promise<string> {
  const options = saveAs === undefined ? {} : { download: saveAs }
  const { data, error } = await (await bucket()).createSignedUrl(path, seconds, options)
  if (error) throw error
  return data.signedUrl
}

async function saveChatFile({ path, name, type }: FileAttachment, isBrief: boolean) {
  const { data, error } = await (
    await bucket()
  ).download(path, {}, isBrief ? { cache: 'no-store' } : {})
  if (error) throw error
  await saveFile(name, data, type)
}

function follow(address: string) {
  const link = document.createElement('a')
  link.href = address
  link.download = ''
  link.click()
}
