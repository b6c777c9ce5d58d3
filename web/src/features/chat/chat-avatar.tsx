import { Avatar } from '#ui/avatar.tsx'
import { Logo } from '#ui/logo.tsx'
import type { ChatType } from './chat-types.ts'

type ChatAvatarProps = { type: ChatType; title: string; seed: string; isSmall?: boolean }

/** The team's mark for the team chat, initials for every other one. */
export function ChatAvatar({ type, title, seed, isSmall }: ChatAvatarProps) {
  if (type === 'mandatory') return <Logo className={isSmall ? 'size-9.5' : 'size-11'} />
  return <Avatar name={title} seed={seed} size={isSmall ? 'sm' : 'md'} />
}
