import { ArrowUp, Check } from 'lucide-react'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import type { Chat } from '#features/chat/chat-queries.ts'
import { usePermissions } from '#features/chat/use-permissions.ts'
import { m } from '#lib/messages/messages.js'
import { notifyError } from '#lib/notify-error.ts'
import { IconButton } from '#ui/icon-button.tsx'
import { AttachButton } from './attach-button.tsx'
import { ComposerBar } from './composer-bar.tsx'
import { ComposerImage } from './composer-image.tsx'
import { ComposerText } from './composer-text.tsx'
import type { Composing } from './composing.ts'
import { useComposer } from './use-composer.ts'
import { useTellTyping } from './use-chat-life.ts'

type ComposerProps = {
  chat: Chat
  composing: Composing
  /** The reply or edit is over; whether the field for the next message takes the focus. */
  onDone: (isNext: boolean) => void
  onSent: () => void
}

/** Where messages are written. What was typed is kept until it is safely stored. */
export function Composer({ chat, composing, onDone, onSent }: ComposerProps) {
  const { canSendMessages } = usePermissions()
  const composer = useComposer(chat, composing)
  const tellTyping = useTellTyping(chat.id)
  const field = useRef<HTMLTextAreaElement>(null)
  const [caret, setCaret] = useState(0)
  const isEdit = composing.kind === 'edit'
  useEffect(() => {
    if (composing.kind !== 'new' || composing.isNext) field.current?.focus()
  }, [composing])

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (!composer.canSubmit) return
    // Permission can be taken away between two drawings of the screen.
    if (!canSendMessages) return notifyError(m.chat_no_send_permission_alert())
    if (isEdit) return void saveEdit(event.currentTarget)
    composer.send()
    onDone(true)
    onSent()
    // The native apps answer with a light tap.
    window.dispatchEvent(new Event('message-sent'))
    field.current?.focus()
  }

  async function saveEdit(form: HTMLFormElement) {
    const isSaved = await composer.saveEdit()
    // Whoever went on to something else meanwhile, such as a menu, stays there.
    const { activeElement: active } = document
    if (isSaved) onDone(active === document.body || form.contains(active))
  }

  return (
    <form onSubmit={submit} className="flex-none border-t border-line bg-card">
      <ComposerBar composing={composing} onCancel={() => onDone(true)} />
      {composer.image && (
        <ComposerImage image={composer.image} onRemove={() => composer.setImage(null)} />
      )}
      <div className="flex items-end gap-2 px-3 pt-2.5 pb-[max(0.625rem,env(safe-area-inset-bottom))] lg:px-6 lg:py-3.5">
        {!isEdit && <AttachButton onPick={composer.setImage} />}
        <ComposerText
          ref={field}
          chatId={chat.id}
          text={composer.text}
          caret={caret}
          onCaret={setCaret}
          onChange={(text) => {
            composer.change(text)
            if (!isEdit && text) tellTyping()
          }}
          // Who is mentioned was told when the message was sent; an edit tells nobody.
          onMention={isEdit ? undefined : composer.mention}
          onCancel={() => onDone(true)}
        />
        <IconButton
          type="submit"
          label={isEdit ? m.chat_save() : m.chat_send()}
          icon={isEdit ? <Check /> : <ArrowUp />}
          variant="primary"
          shape="round"
          disabled={!composer.canSubmit}
        />
      </div>
    </form>
  )
}
