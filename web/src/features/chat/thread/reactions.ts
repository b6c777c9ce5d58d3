import type { Message } from '#features/chat/model/chat-types.ts'

/** The emojis offered first. */
export const QUICK_REACTIONS = ['👍', '❤️', '😂', '🎉', '🙏', '🔥']

export type Reaction = { emoji: string; count: number; isOwn: boolean }

/** A message's reactions, most frequent first. */
export function reactionsOf({ reaction_counts, my_reactions = [] }: Message): Reaction[] {
  return Object.entries(reaction_counts)
    .map(([emoji, count]) => ({ emoji, count, isOwn: my_reactions.includes(emoji) }))
    .sort((a, b) => b.count - a.count || (a.emoji < b.emoji ? -1 : 1))
}

/** The message as it will be once the server has added or removed the member's reaction. */
export function withOwnReaction(message: Message, emoji: string, isOn: boolean): Message {
  const own = message.my_reactions ?? []
  if (own.includes(emoji) === isOn) return message
  const count = (message.reaction_counts[emoji] ?? 0) + (isOn ? 1 : -1)
  const { [emoji]: _, ...others } = message.reaction_counts
  return {
    ...message,
    my_reactions: isOn ? [...own, emoji] : own.filter((each) => each !== emoji),
    reaction_counts: count > 0 ? { ...message.reaction_counts, [emoji]: count } : others,
  }
}
