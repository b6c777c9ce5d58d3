import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { memberQuery } from '#features/chat/model/member-names.ts'
import { usePermissions } from '#features/chat/model/use-permissions.ts'
import { m } from '#lib/messages/messages.js'
import { notifyError } from '#lib/server/notify-error.ts'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { CreateChatForm } from './create-chat-form.tsx'

/** The form, for members who may create chats; others get an alert and go to the list. */
export function CreateChatPane() {
  const navigate = useNavigate()
  const { canCreateChats, isKnown } = usePermissions()
  // Whose profile led here. If they cannot be loaded, the form is empty and finds them.
  const withId = useSearchParams()[0].get('with') ?? ''
  const person = useQuery({ ...memberQuery(withId), enabled: withId !== '' })

  useEffect(() => {
    if (canCreateChats) return
    notifyError(m.chat_no_create_permission())
    void navigate('/chat', { replace: true })
  }, [canCreateChats, navigate])

  if (!canCreateChats) return null
  if (isKnown && !person.isLoading)
    return <CreateChatForm key={withId} person={person.data ?? undefined} />
  return (
    <div className="p-5">
      <SkeletonRows />
    </div>
  )
}
