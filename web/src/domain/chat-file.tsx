import { CirclePlay } from 'lucide-react'
import { useState } from 'react'
import { formatBytes } from '#lib/i18n/format-bytes.ts'
import { m } from '#lib/messages/messages.js'
import { isNativeShell } from '#lib/native/is-native-shell.ts'
import { showError } from '#lib/server/notify-error.ts'
import { Pressable } from '#ui/pressable.tsx'
import { Spinner } from '#ui/spinner.tsx'
import type { FileAttachment } from './attachments.ts'
import { FileIcon } from './file-icon.tsx'
import { endingOf } from './file-types.ts'
import { mediaAddress, openChatFile } from './open-chat-file.ts'

type ChatFileProps = { attachment: FileAttachment; file?: Blob; lookId?: string }

/** A file in a message. Nothing of it is loaded before it is pressed. */
export function ChatFile({ attachment, file, lookId }: ChatFileProps) {
  const [address, setAddress] = useState<string>()
  const isMedia = /^(video|audio)\//.test(attachment.type) && !lookId && !isNativeShell()
  const [isOpening, setIsOpening] = useState(false)

  async function open() {
    if (isOpening) return
    setIsOpening(true)
    try {
      if (isMedia) setAddress(await mediaAddress(attachment))
      else await openChatFile(attachment, lookId !== undefined)
    } catch (error) {
      showError(m.chat_file_failed(), error)
    } finally {
      setIsOpening(false)
    }
  }

  if (address) {
    return (
      <Player attachment={attachment} address={address} onError={() => setAddress(undefined)} />
    )
  }

  const label = isMedia
    ? m.chat_file_play({ name: attachment.name })
    : m.chat_file_open({ name: attachment.name })
  return (
    <Pressable
      onClick={() => void open()}
      disabled={file !== undefined}
      title={label}
      className="my-1 flex min-h-14 w-60 max-w-full items-center gap-3 rounded-tight bg-current/8 px-3 py-2 text-left"
    >
      {isOpening ? <Spinner /> : <FileIcon type={attachment.type} />}
      <span className="min-w-0 flex-1">
        <bdi className="line-clamp-2 text-small font-medium wrap-anywhere">{attachment.name}</bdi>
        <span className="block text-caption opacity-80">
          {endingOf(attachment.name).toUpperCase()} · {formatBytes(attachment.size)}
        </span>
      </span>
      {isMedia && !file && <CirclePlay aria-hidden="true" className="size-6 flex-none" />}
    </Pressable>
  )
}

type PlayerProps = { attachment: FileAttachment; address: string; onError: () => void }

function Player({ attachment: { name, type }, address, onError }: PlayerProps) {
  const Media = type.startsWith('video/') ? 'video' : 'audio'
  return (
    <figure className="my-1 w-80 max-w-full">
      <Media
        src={address}
        controls
        autoPlay
        playsInline
        aria-label={name}
        onError={onError}
        className="block max-h-80 w-full rounded-tight"
      />
      <figcaption className="mt-1 truncate text-caption opacity-80">{name}</figcaption>
    </figure>
  )
}
