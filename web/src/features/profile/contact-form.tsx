import { useQueryClient } from '@tanstack/react-query'
import type { OwnProfile } from '#domain/own-profile.ts'
import { formatPhone } from '#domain/phone-number.ts'
import { STATE_CODES, stateName } from '#domain/us-states.ts'
import { useSendingForm } from '#lib/forms/use-sending-form.ts'
import { m } from '#lib/messages/messages.js'
import { SelectField } from '#ui/select-field.tsx'
import { TextField } from '#ui/text-field.tsx'
import { showToast } from '#ui/toast-store.ts'
import { changeContact } from './account-changes.ts'
import { ABOUT_LIMIT, contactSchema, type Audience } from './contact-schema.ts'
import { SheetForm } from './sheet-form.tsx'

/** How others reach the member, and who sees that. */
export function ContactForm({ profile, onDone }: { profile: OwnProfile; onDone: () => void }) {
  const queryClient = useQueryClient()
  const form = useSendingForm({
    schema: contactSchema,
    defaultValues: {
      phone: profile.phone ? formatPhone(profile.phone) : '',
      phoneAudience: (profile.phone_audience ?? 'leaders') as Audience,
      emailAudience: (profile.email_audience ?? 'everyone') as Audience,
      state: profile.state ?? '',
      about: profile.about ?? '',
    },
    send: (contact) => changeContact(profile.id, contact),
    refusal: (message) => m.profile_contact_failed({ message }),
    isQuick: true,
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: ['users'] })
      showToast(m.profile_contact_saved())
      onDone()
    },
  })
  return (
    <SheetForm form={form}>
      <TextField
        label={m.profile_phone()}
        type="tel"
        autoComplete="tel"
        maxLength={40}
        {...form.field('phone')}
      />
      <SelectField
        label={m.profile_phone_audience()}
        options={[
          { value: 'everyone', label: m.profile_audience_everyone() },
          { value: 'leaders', label: m.profile_audience_leaders() },
          { value: 'nobody', label: m.profile_audience_nobody() },
        ]}
        {...form.field('phoneAudience')}
      />
      <SelectField
        label={m.profile_email_audience()}
        options={[
          { value: 'everyone', label: m.profile_audience_everyone() },
          { value: 'leaders', label: m.profile_audience_leaders() },
          { value: 'nobody', label: m.profile_audience_admins() },
        ]}
        {...form.field('emailAudience')}
      />
      <SelectField
        label={m.profile_state()}
        autoComplete="address-level1"
        options={[
          { value: '', label: m.profile_state_none() },
          ...STATE_CODES.map((code) => ({ value: code, label: stateName(code) })),
        ]}
        {...form.field('state')}
      />
      <TextField
        label={m.profile_about()}
        hint={m.profile_about_hint()}
        maxLength={ABOUT_LIMIT}
        {...form.field('about')}
      />
    </SheetForm>
  )
}
