import type { Message } from '#features/chat/chat-types.ts'
import { m } from '#lib/messages/messages.js'
import { classNames } from '#ui/class-names.ts'
import { reactionsOf } from './reactions.ts'
import { useMessageActions } from './use-message-actions.ts'

/** The reactions under a message; pressing one joins in or takes the own one back. */
export function ReactionRow({ message, isOwn }: { message: Message; isOwn: boolean }) {
  const { react } = useMessageActions()
  const reactions = reactionsOf(message)
  if (reactions.length === 0 || message.is_deleted) return null
  return (
    <div
      className={classNames(
        'relative z-1 -mt-1.5 flex flex-wrap gap-1 px-2',
        isOwn && 'justify-end',
      )}
    >
      {reactions.map((reaction) => (
        <button
          key={reaction.emoji}
          type="button"
          aria-pressed={reaction.isOwn}
          aria-label={m.chat_reaction_label({ emoji: reaction.emoji, count: reaction.count })}
          onClick={() => react(message, reaction.emoji)}
          className={classNames(
            'inline-flex min-h-7 items-center gap-1 rounded-full border px-2 text-note tabular-nums transition active:scale-95',
            reaction.isOwn ? 'border-primary bg-tint font-semibold' : 'border-line bg-card',
          )}
        >
          <span aria-hidden="true">{reaction.emoji}</span> {reaction.count}
        </button>
      ))}
    </div>
  )
}
