import { SeenBy } from './seen-by.tsx'
import { TypingNote } from './typing-note.tsx'

type ThreadTailProps = { seenId: string | null; typingIds: readonly string[] }

/** Below the last message: who has seen it, who is typing. */
export function ThreadTail({ seenId, typingIds }: ThreadTailProps) {
  return (
    <div>
      {seenId && <SeenBy messageId={seenId} />}
      <TypingNote memberIds={typingIds} />
    </div>
  )
}
