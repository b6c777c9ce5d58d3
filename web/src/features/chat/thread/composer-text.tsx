import { useQuery } from '@tanstack/react-query'
import { useId, useState, type KeyboardEvent, type RefObject } from 'react'
import { useUserId } from '#data/session/session.ts'
import { memberName } from '#domain/member-name.ts'
import { chatMembersQuery } from '#features/chat/model/chat-queries.ts'
import { m } from '#lib/messages/messages.js'
import { GrowingTextArea } from '#ui/growing-text-area.tsx'
import { MentionList } from './mention-list.tsx'
import { insertMention, mentionQuery, type Mentionable } from './mentions.ts'

const MOST_SUGGESTIONS = 5

/** Whether a finger is the device's main pointer, and so its keyboard on the screen. */
export const isOnTouch = () => matchMedia('(hover: none) and (pointer: coarse)').matches

type ComposerTextProps = {
  ref: RefObject<HTMLTextAreaElement | null>
  chatId: string
  text: string
  caret: number
  onCaret: (caret: number) => void
  onChange: (text: string) => void
  /** Without it nobody is suggested. */
  onMention?: ((member: Mentionable) => void) | undefined
  /** Escape was pressed with nothing else to close. */
  onCancel: () => void
}

/** The growing field, with mention suggestions above it while an @ is being typed. */
export function ComposerText(props: ComposerTextProps) {
  const { ref, text, caret } = props
  const listId = useId()
  const mention = useMentionSuggestions(props.chatId, text, props.onMention ? caret : null)

  function choose(member: Mentionable) {
    if (!mention.found) return
    const inserted = insertMention(text, mention.found.start, caret, member.name)
    props.onMention?.(member)
    props.onChange(inserted.text)
    props.onCaret(inserted.caret)
    // After React has set the text, which would move the caret to the end.
    requestAnimationFrame(() => ref.current?.setSelectionRange(inserted.caret, inserted.caret))
  }

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
    // While an input method composes a word, the keys belong to it.
    if (event.nativeEvent.isComposing) return
    const chosen = mention.members[mention.index]
    if (chosen && mention.onKey(event.key)) return event.preventDefault()
    if (chosen && (event.key === 'Enter' || event.key === 'Tab')) {
      event.preventDefault()
      return choose(chosen)
    }
    if (event.key === 'Escape') props.onCancel()
    // An on-screen keyboard has no Shift+Enter, so there Enter starts a line and the button sends.
    const startsLine = event.shiftKey || (isOnTouch() && !event.ctrlKey && !event.metaKey)
    if (event.key !== 'Enter' || startsLine) return
    event.preventDefault()
    event.currentTarget.form?.requestSubmit()
  }

  return (
    <div className="relative min-w-0 flex-1">
      {mention.members.length > 0 && (
        <MentionList
          id={listId}
          members={mention.members}
          index={mention.index}
          onChoose={choose}
        />
      )}
      <GrowingTextArea
        ref={ref}
        label={m.chat_composer_label()}
        aria-autocomplete="list"
        aria-controls={mention.members.length > 0 ? listId : undefined}
        aria-activedescendant={
          mention.members.length > 0 ? `${listId}-${mention.index}` : undefined
        }
        enterKeyHint={isOnTouch() ? 'enter' : 'send'}
        value={text}
        onChange={(event) => {
          props.onChange(event.target.value)
          props.onCaret(event.target.selectionStart)
        }}
        onSelect={(event) => props.onCaret(event.currentTarget.selectionStart)}
        onKeyDown={onKeyDown}
      />
    </div>
  )
}

function useMentionSuggestions(chatId: string, text: string, caret: number | null) {
  const memberId = useUserId()
  const [state, setState] = useState({ key: '', index: 0, isDismissed: false })
  const found = caret === null ? null : mentionQuery(text, caret)
  const key = found ? `${found.start} ${found.query}` : ''
  if (state.key !== key) setState({ key, index: 0, isDismissed: false })
  const { data = [] } = useQuery({
    ...chatMembersQuery(chatId, found?.query ?? ''),
    enabled: found !== null,
    placeholderData: (before) => before,
  })
  const members =
    found && !state.isDismissed
      ? data
          .filter(({ id }) => id !== memberId)
          .slice(0, MOST_SUGGESTIONS)
          .map((member) => ({ id: member.id, name: memberName(member) }))
      : []

  /** Moves through the list or closes it; false for every other key. */
  function onKey(pressed: string): boolean {
    const step = { ArrowDown: 1, ArrowUp: -1 }[pressed]
    if (step) setState({ ...state, index: (state.index + step + members.length) % members.length })
    if (pressed === 'Escape') setState({ ...state, isDismissed: true })
    return step !== undefined || pressed === 'Escape'
  }

  return { found, members, index: Math.min(state.index, Math.max(0, members.length - 1)), onKey }
}
