import type { User } from '@supabase/auth-js'
import { UserPlus } from 'lucide-react'
import { useNavigate } from 'react-router'
import { askedPage } from '#lib/asked-page.ts'
import { m } from '#lib/messages/messages.js'
import { useSendingForm } from '#lib/use-sending-form.ts'
import { Button } from '#ui/button.tsx'
import { FormError } from '#ui/form-error.tsx'
import { TextField } from '#ui/text-field.tsx'
import { acceptInvitation } from './accept-invitation.ts'
import { createAccountSchema } from './account-schemas.ts'
import { AuthLayout } from './auth-layout.tsx'
import { NameFields } from './name-fields.tsx'
import { NewPasswordFields } from './new-password-fields.tsx'
import { StatePicture } from './state-picture.tsx'

/** Create Account for somebody who opened an invitation: the address is confirmed already and stays as it is. */
export function InvitedAccount({ user }: { user: User }) {
  const navigate = useNavigate()
  const { first_name, last_name } = user.user_metadata as Record<string, string | undefined>
  const email = user.email ?? ''
  const form = useSendingForm({
    schema: createAccountSchema,
    defaultValues: {
      firstName: first_name ?? '',
      lastName: last_name ?? '',
      email,
      password: '',
      confirmation: '',
    },
    send: (typed) => acceptInvitation(user.id, typed),
    refusal: (message) => m.auth_sign_up_failed({ message }),
    onSuccess: () => {
      const { path, state } = askedPage()
      void navigate(path, { state, replace: true })
    },
  })

  return (
    <AuthLayout
      picture={<StatePicture icon={<UserPlus />} tone="done" />}
      title={m.auth_create_account()}
      text={m.auth_invited_text()}
    >
      <form noValidate onSubmit={form.submit} className="grid gap-4">
        <TextField
          label={m.auth_email()}
          type="email"
          autoComplete="username"
          readOnly
          className="bg-surface text-muted"
          {...form.register('email')}
        />
        <NameFields register={form.register} />
        <NewPasswordFields register={form.register} />
        <FormError text={form.error} />
        <Button type="submit" size="lg" busyText={form.isBusy && m.auth_accepting_invitation()}>
          {m.auth_create_account()}
        </Button>
      </form>
    </AuthLayout>
  )
}
