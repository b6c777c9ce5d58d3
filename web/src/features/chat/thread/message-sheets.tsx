import { ReportSheet } from '#domain/report-sheet.tsx'
import type { Message } from '#features/chat/model/chat-types.ts'
import { useMemberName } from '#features/chat/model/member-names.ts'
import { loadedModal } from '#ui/loaded-modal.tsx'
import { DeleteMessageDialog } from './delete-message-dialog.tsx'
import { useMessageActions } from './use-message-actions.ts'

// Each is loaded when it is first opened.
const EmojiPicker = loadedModal(async () => (await import('./emoji/emoji-picker.tsx')).EmojiPicker)
const ForwardSheet = loadedModal(async () => (await import('./forward-sheet.tsx')).ForwardSheet)
const LinkPreviewSheet = loadedModal(
  async () => (await import('./link-preview-sheet.tsx')).LinkPreviewSheet,
)

/** What the menu of a message opens, and for which one. */
export type AskedSheet = {
  sheet: 'delete' | 'report' | 'forward' | 'emoji' | 'preview'
  message: Message
}

type MessageSheetsProps = AskedSheet & { onClose: () => void }

/** Held by the thread: the message's own row is gone once it is scrolled far enough out of view. */
export function MessageSheets({ sheet, message, onClose }: MessageSheetsProps) {
  const { react } = useMessageActions()
  const name = useMemberName(message.sender_id)
  switch (sheet) {
    case 'delete':
      return <DeleteMessageDialog message={message} onClose={onClose} />
    case 'report':
      return (
        <ReportSheet
          reported={{ memberId: message.sender_id, name, messageId: message.id }}
          onClose={onClose}
        />
      )
    case 'forward':
      return <ForwardSheet message={message} onClose={onClose} />
    case 'preview':
      return <LinkPreviewSheet message={message} onClose={onClose} />
    case 'emoji':
      return <EmojiPicker onPick={(emoji) => react(message, emoji)} onClose={onClose} />
  }
}
