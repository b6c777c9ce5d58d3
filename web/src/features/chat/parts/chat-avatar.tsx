import type { ChatType } from '#features/chat/model/chat-types.ts'
import { Avatar } from '#ui/avatar.tsx'
import { classNames } from '#ui/class-names.ts'
import { Logo } from '#ui/logo.tsx'

type ChatAvatarProps = {
  type: ChatType
  title: string
  seed: string
  isSmall?: boolean
  /** Shows a dot; the caller provides the text. */
  isOnline?: boolean
}

/** The team logo for the team chat, initials for all others. */
export function ChatAvatar({ type, title, seed, isSmall, isOnline }: ChatAvatarProps) {
  if (type === 'mandatory') return <Logo className={isSmall ? 'size-9.5' : 'size-11'} />
  return (
    <span className="relative flex-none">
      <Avatar name={title} seed={seed} size={isSmall ? 'sm' : 'md'} />
      <span
        className={classNames(
          'absolute right-0 bottom-0 size-3 rounded-full border-2 border-card bg-success transition',
          !isOnline && 'scale-0',
        )}
      />
    </span>
  )
}
