import { useQuery } from '@tanstack/react-query'
import { MessageCircleQuestion } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { draftNameOf } from '#features/chat/chat-drafts.ts'
import { departureQuery } from '#features/chat/chat-queries.ts'
import { readDraft, writeDraft } from '#lib/forms/drafts.ts'
import { m } from '#lib/messages/messages.js'
import { useUserId } from '#lib/supabase/session.ts'
import { Button, buttonLook } from '#ui/button.tsx'
import { copyText } from '#ui/copy-text.ts'
import { EmptyState } from '#ui/empty-state.tsx'

/** No such chat, or the member isn't in it; says which only to those who were in it. */
export function ChatNotFound({ chatId }: { chatId: string }) {
  const { data: departure } = useQuery(departureQuery(chatId))
  const title = departure?.title ?? ''
  const reason = departure?.was_removed
    ? m.chat_removed_hint({ title })
    : m.chat_left_hint({ title })
  return (
    <div className="grid h-full place-content-center">
      <EmptyState
        isPageTitle
        picture={<MessageCircleQuestion />}
        title={m.chat_not_found()}
        text={departure ? reason : m.chat_not_found_hint()}
        action={
          <Link to="/chat" className={buttonLook('tint')}>
            {m.chat_back_to_chats()}
          </Link>
        }
      />
      <StrandedDraft chatId={chatId} />
    </div>
  )
}

/** What the member was writing here, which they can no longer reach any other way. */
function StrandedDraft({ chatId }: { chatId: string }) {
  const name = draftNameOf(useUserId(), chatId)
  const [text, setText] = useState(() => readDraft(name))
  if (!text) return null

  function discard() {
    writeDraft(name, '')
    setText('')
  }

  return (
    <section className="mx-auto grid w-full max-w-form gap-3 px-5 pb-8">
      <h2 className="font-semibold">{m.chat_draft_title()}</h2>
      <p className="max-h-40 overflow-y-auto rounded-field bg-tint p-3 text-small wrap-anywhere whitespace-pre-wrap">
        {text}
      </p>
      <div className="flex gap-3">
        <Button variant="tint" size="sm" onClick={() => void copyText(text, m.chat_copied())}>
          {m.chat_copy()}
        </Button>
        <Button variant="ghost" size="sm" onClick={discard}>
          {m.chat_discard()}
        </Button>
      </div>
    </section>
  )
}
