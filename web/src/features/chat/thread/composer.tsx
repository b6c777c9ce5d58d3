import { ArrowUp, Check, X } from 'lucide-react'
import { type FormEvent, lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useUserId } from '#data/session/session.ts'
import type { Chat } from '#features/chat/model/chat-queries.ts'
import type { Composing } from '#features/chat/model/composing.ts'
import { useMemberName } from '#features/chat/model/member-names.ts'
import { messageSummary } from '#features/chat/model/message-summary.ts'
import { usePermissions } from '#features/chat/model/use-permissions.ts'
import { m } from '#lib/messages/messages.js'
import { notifyError } from '#lib/server/notify-error.ts'
import { FormError } from '#ui/form-error.tsx'
import { IconButton } from '#ui/icon-button.tsx'
import { AttachButton } from './attach-button.tsx'
import { ComposerText } from './composer-text.tsx'
import { MessageLength } from './message-length.tsx'
import { useAttaching } from './use-attaching.ts'
import { useComposer } from './use-composer.ts'
import { useSendTyping } from './use-typing-and-presence.ts'

// Loaded with the first image or file.
const AttachedTray = lazy(async () => ({
  default: (await import('./attached-tray.tsx')).AttachedTray,
}))

type ComposerProps = {
  chat: Chat
  composing: Composing
  /** The reply or edit is over; whether to focus the field for the next message. */
  onDone: (isNext: boolean) => void
  onSent: () => void
}

/** Where messages are written. Input is kept until it is safely stored. */
export function Composer({ chat, composing, onDone, onSent }: ComposerProps) {
  const { canSendMessages } = usePermissions()
  const composer = useComposer(chat, composing)
  const sendTyping = useSendTyping(chat.id)
  const field = useRef<HTMLTextAreaElement>(null)
  const [caret, setCaret] = useState(0)
  const isEdit = composing.kind === 'edit'
  const attaching = useAttaching({
    isPossible: !isEdit,
    attached: composer.attached,
    onAttach: composer.attach,
  })
  const canSubmit = composer.canSubmit && !attaching.isPreparing
  useEffect(() => {
    if (composing.kind === 'new' && (!composing.isNext || isTypingElsewhere())) return
    field.current?.focus()
  }, [composing])

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (!canSubmit) return
    // Permission can be revoked between two renders.
    if (!canSendMessages) return notifyError(m.chat_no_send_permission_alert())
    if (isEdit) return void saveEdit(event.currentTarget)
    send()
  }

  function send() {
    composer.send()
    onDone(true)
    onSent()
    // The native apps give haptic feedback.
    window.dispatchEvent(new Event('message-sent'))
    field.current?.focus()
  }

  async function saveEdit(form: HTMLFormElement) {
    const isSaved = await composer.saveEdit()
    // If focus moved elsewhere meanwhile, such as to a menu, it stays there.
    const { activeElement: active } = document
    if (isSaved) onDone(active === document.body || form.contains(active))
  }

  return (
    <form
      onSubmit={submit}
      onPaste={attaching.onPaste}
      className="flex-none border-t border-line bg-card"
    >
      <ComposerBar composing={composing} onCancel={() => onDone(true)} />
      {composer.attached.length > 0 && (
        <Suspense>
          <AttachedTray attached={composer.attached} onRemove={composer.detach} />
        </Suspense>
      )}
      {attaching.refusal && (
        <div className="px-thread pt-3">
          <FormError text={attaching.refusal} />
        </div>
      )}
      <MessageLength text={composer.text} onSendParts={isEdit ? undefined : send} />
      <div className="flex items-end gap-2 px-3 pt-2.5 pb-[max(0.625rem,env(safe-area-inset-bottom))] lg:px-thread lg:py-3.5">
        {!isEdit && <AttachButton onPick={(files) => void attaching.pick(files)} />}
        <ComposerText
          ref={field}
          chatId={chat.id}
          text={composer.text}
          caret={caret}
          onCaret={setCaret}
          onChange={(text) => {
            composer.change(text)
            attaching.clearRefusal()
            if (!isEdit && text) sendTyping()
          }}
          // Mentions were notified when the message was sent; an edit notifies nobody.
          onMention={isEdit ? undefined : composer.mention}
          onCancel={() => onDone(true)}
        />
        <IconButton
          type="submit"
          label={isEdit ? m.chat_save() : m.chat_send()}
          icon={isEdit ? <Check /> : <ArrowUp />}
          variant="primary"
          shape="round"
          disabled={!canSubmit}
        />
      </div>
    </form>
  )
}

/** While a slow chat opens, the member may have begun to type elsewhere. */
function isTypingElsewhere(): boolean {
  return document.activeElement?.matches('input, textarea, [role=dialog] *') ?? false
}

/** Labels the field as a reply or an edit, with a cancel button. */
function ComposerBar({ composing, onCancel }: { composing: Composing; onCancel: () => void }) {
  const senderId = composing.kind === 'reply' ? composing.to.sender_id : null
  const isOwn = senderId === useUserId()
  const name = useMemberName(senderId)
  if (composing.kind === 'new') return null

  const message = composing.kind === 'reply' ? composing.to : composing.message
  return (
    <div className="flex items-center gap-2 pt-2 pr-2 pl-4 lg:px-thread">
      <div className="min-w-0 flex-1 border-l-3 border-primary pl-2.5 text-note">
        <p className="font-semibold text-primary">
          {composing.kind === 'edit'
            ? m.chat_editing()
            : m.chat_replying_to({ name: isOwn ? m.chat_you() : name })}
        </p>
        <p className="truncate text-muted">{messageSummary(message)}</p>
      </div>
      <IconButton label={m.chat_cancel()} icon={<X />} variant="plain" onClick={onCancel} />
    </div>
  )
}
