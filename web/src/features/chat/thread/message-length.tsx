import { MESSAGE_LIMIT, MOST_PARTS } from '#features/chat/model/composing.ts'
import { formatCount } from '#lib/i18n/format-count.ts'
import { m } from '#lib/messages/messages.js'
import { Button } from '#ui/button.tsx'
import { splitMessage } from './split-message.ts'

/** From here on the length is shown. */
const SHOWN_FROM = MESSAGE_LIMIT - 200

type MessageLengthProps = {
  text: string
  /** Sends the text as several messages; absent where it has to stay one. */
  onSendParts?: (() => void) | undefined
}

/** How long the text is, near the limit, and above it the offer to send it in parts: nothing is cut off. */
export function MessageLength({ text, onSendParts }: MessageLengthProps) {
  const { length } = text.trim()
  const isTooLong = length > MESSAGE_LIMIT
  // Only then: splitting on every key would be wasted.
  const parts = isTooLong && onSendParts ? splitMessage(text, MESSAGE_LIMIT).length : 0
  return (
    <div role="status">
      {length >= SHOWN_FROM && (
        <div className="flex flex-wrap items-center justify-between gap-2 px-thread pt-2 text-note text-muted">
          <p className={isTooLong ? 'font-medium text-danger-text' : ''}>
            {m.chat_length({ count: formatCount(length), limit: formatCount(MESSAGE_LIMIT) })}
            {parts > MOST_PARTS && ` ${m.chat_length_too_long()}`}
          </p>
          {parts > 0 && parts <= MOST_PARTS && (
            <Button variant="tint" size="sm" onClick={onSendParts}>
              {m.chat_send_parts({ count: formatCount(parts) })}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}
