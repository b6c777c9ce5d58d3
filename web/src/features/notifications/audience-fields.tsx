import { useQuery } from '@tanstack/react-query'
import { useWatch, type UseFormReturn } from 'react-hook-form'
import { m } from '#lib/messages/messages.js'
import { SelectField } from '#ui/select-field.tsx'
import { MemberChoice } from './member-choice.tsx'
import { addressableChatsQuery } from './notice-queries.ts'
import type { NoticeForm } from './notice-schema.ts'

/** The recipients: everyone, a role, a chat, or chosen members. */
export function AudienceFields({ form }: { form: UseFormReturn<NoticeForm> }) {
  const audience = useWatch({ control: form.control, name: 'audience' })
  const members = useWatch({ control: form.control, name: 'members' })
  const chats = useQuery({ ...addressableChatsQuery(), enabled: audience === 'chat' })
  const { errors } = form.formState
  return (
    <>
      <SelectField
        label={m.notifications_audience()}
        options={[
          { value: 'all', label: m.notifications_audience_all() },
          { value: 'role', label: m.notifications_audience_role() },
          { value: 'chat', label: m.notifications_audience_chat() },
          { value: 'members', label: m.notifications_audience_members() },
        ]}
        {...form.register('audience')}
      />
      {audience === 'role' && (
        <SelectField
          label={m.notifications_audience_role()}
          options={[
            { value: 'user', label: m.notifications_role_user() },
            { value: 'admin', label: m.notifications_role_admin() },
          ]}
          {...form.register('role')}
        />
      )}
      {audience === 'chat' && (
        <SelectField
          label={m.notifications_audience_chat()}
          error={errors.chatId?.message}
          options={[
            { value: '', label: m.notifications_choose_chat() },
            ...(chats.data ?? []).map(({ id, name }) => ({ value: id, label: name ?? '' })),
          ]}
          {...form.register('chatId')}
        />
      )}
      {audience === 'members' && (
        <MemberChoice
          chosen={members}
          error={errors.members?.message}
          onChange={(next) => form.setValue('members', next, { shouldDirty: true })}
        />
      )}
    </>
  )
}
