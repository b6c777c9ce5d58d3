import { useQuery } from '@tanstack/react-query'
import type { Fields } from '#lib/forms/use-fields.ts'
import { m } from '#lib/messages/messages.js'
import { SelectField } from '#ui/select-field.tsx'
import { MemberChoice } from './member-choice.tsx'
import { addressableChatsQuery } from './notice-queries.ts'
import type { NoticeForm } from './notice-schema.ts'

/** The recipients: everyone, a role, a chat, or chosen members. */
export function AudienceFields({ form }: { form: Fields<NoticeForm> }) {
  const { audience, members } = form.values
  const chats = useQuery({ ...addressableChatsQuery(), enabled: audience === 'chat' })
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
        {...form.field('audience')}
      />
      {audience === 'role' && (
        <SelectField
          label={m.notifications_audience_role()}
          options={[
            { value: 'user', label: m.notifications_role_user() },
            { value: 'admin', label: m.notifications_role_admin() },
          ]}
          {...form.field('role')}
        />
      )}
      {audience === 'chat' && (
        <SelectField
          label={m.notifications_audience_chat()}
          options={[
            { value: '', label: m.notifications_choose_chat() },
            ...(chats.data ?? []).map(({ id, name }) => ({ value: id, label: name ?? '' })),
          ]}
          {...form.field('chatId')}
        />
      )}
      {audience === 'members' && (
        <MemberChoice
          chosen={members}
          error={form.errors.members}
          onChange={(next) => form.set('members', next)}
        />
      )}
    </>
  )
}
