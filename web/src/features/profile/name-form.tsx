import { useQueryClient } from '@tanstack/react-query'
import type { OwnProfile } from '#domain/own-profile.ts'
import { useSendingForm } from '#lib/forms/use-sending-form.ts'
import { m } from '#lib/messages/messages.js'
import { TextField } from '#ui/text-field.tsx'
import { showToast } from '#ui/toast-store.ts'
import { changeName } from './account-changes.ts'
import { nameSchema } from './profile-schemas.ts'
import { SheetForm } from './sheet-form.tsx'

export function NameForm({ profile, onDone }: { profile: OwnProfile; onDone: () => void }) {
  const queryClient = useQueryClient()
  const form = useSendingForm({
    schema: nameSchema,
    defaultValues: { firstName: profile.first_name ?? '', lastName: profile.last_name ?? '' },
    send: (name) => changeName(profile.id, name),
    refusal: (message) => m.profile_name_failed({ message }),
    isQuick: true,
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: ['users'] })
      showToast(m.profile_name_saved())
      onDone()
    },
  })
  return (
    <SheetForm form={form}>
      <TextField
        label={m.profile_first_name()}
        autoComplete="given-name"
        {...form.field('firstName')}
      />
      <TextField
        label={m.profile_last_name()}
        autoComplete="family-name"
        {...form.field('lastName')}
      />
    </SheetForm>
  )
}
