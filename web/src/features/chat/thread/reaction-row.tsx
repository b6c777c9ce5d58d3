import type { Message } from '#features/chat/model/chat-types.ts'
import { formatCount } from '#lib/i18n/format-count.ts'
import { m } from '#lib/messages/messages.js'
import { ChipButton } from '#ui/chip-button.tsx'
import { classNames } from '#ui/class-names.ts'
import { reactionsOf } from './reactions.ts'
import { useMessageActions } from './use-message-actions.ts'

type ReactionRowProps = {
  message: Message
  isOwn: boolean
  /** Next to the picture of the sender. */
  isIndented: boolean
}

/** The reactions to a message; pressing one toggles the member's own. */
export function ReactionRow({ message, isOwn, isIndented }: ReactionRowProps) {
  const { react } = useMessageActions()
  const reactions = reactionsOf(message)
  if (reactions.length === 0 || message.is_deleted) return null
  return (
    <div
      className={classNames(
        'relative z-1 -mt-1.5 flex flex-wrap gap-1 px-2',
        isOwn && 'justify-end',
        isIndented && 'pl-12',
      )}
    >
      {reactions.map((reaction) => (
        <ChipButton
          key={reaction.emoji}
          variant="toggle"
          aria-pressed={reaction.isOwn}
          aria-label={m.chat_reaction_label({
            emoji: reaction.emoji,
            count: formatCount(reaction.count),
          })}
          onClick={() => react(message, reaction.emoji)}
        >
          <span aria-hidden="true">{reaction.emoji}</span> {formatCount(reaction.count)}
        </ChipButton>
      ))}
    </div>
  )
}
