import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { usePermissions } from '#features/chat/use-permissions.ts'
import { m } from '#lib/messages/messages.js'
import { notifyError } from '#lib/supabase/notify-error.ts'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { CreateChatForm } from './create-chat-form.tsx'

/** The form, for members who may create chats; others get an alert and go to the list. */
export function CreateChatPane() {
  const navigate = useNavigate()
  const { canCreateChats, isKnown } = usePermissions()

  useEffect(() => {
    if (canCreateChats) return
    notifyError(m.chat_no_create_permission())
    void navigate('/chat', { replace: true })
  }, [canCreateChats, navigate])

  if (!canCreateChats) return null
  if (isKnown) return <CreateChatForm />
  return (
    <div className="p-5">
      <SkeletonRows />
    </div>
  )
}
