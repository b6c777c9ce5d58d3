import type { User } from '@supabase/auth-js'
import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { nameGiven } from '#data/session/session.ts'
import { auth, database } from '#data/supabase.ts'
import { shownRulesVersion } from '#domain/house-rules.ts'
import { useSendingForm } from '#lib/forms/use-sending-form.ts'
import { m } from '#lib/messages/messages.js'
import { getLocale } from '#lib/messages/runtime.js'
import { getReturnTo } from '#lib/return-to.ts'
import { Button, buttonLook } from '#ui/button.tsx'
import { FormError } from '#ui/form-error.tsx'
import { TextField } from '#ui/text-field.tsx'
import { createAccountSchema } from './account-schemas.ts'
import { AcceptsRules } from './accepts-rules.tsx'
import { AuthLayout } from './auth-layout.tsx'
import { NameFields } from './name-fields.tsx'
import { NewPasswordFields } from './new-password-fields.tsx'
import { StatePicture } from './state-picture.tsx'

/** Create Account for somebody invited: the address is already confirmed and fixed. */
export function InvitedAccount({ user }: { user: User }) {
  const navigate = useNavigate()
  const email = user.email ?? ''
  /** For a first password the service wants a link that was opened within 15 minutes. */
  const [needsLink, setNeedsLink] = useState(false)
  const form = useSendingForm({
    schema: createAccountSchema,
    defaultValues: {
      firstName: nameGiven(user, 'first_name') ?? '',
      lastName: nameGiven(user, 'last_name') ?? '',
      email,
      password: '',
      confirmation: '',
    },
    send: async (typed) => {
      const result = await acceptInvitation(user.id, typed)
      const isLate = result.error?.code === 'current_password_required'
      setNeedsLink(isLate)
      return isLate ? { error: { message: m.auth_invitation_needs_link() } } : result
    },
    refusal: (message) => m.auth_sign_up_failed({ message }),
    onSuccess: () => {
      const { path, state } = getReturnTo()
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
          {...form.field('email')}
        />
        <NameFields field={form.field} />
        <NewPasswordFields field={form.field} />
        <p className="text-note text-muted">{m.auth_messages_kept()}</p>
        <AcceptsRules />
        <FormError text={form.error} />
        {needsLink && (
          <Link to="/forgot-password" state={{ email }} className={buttonLook('tint', 'lg')}>
            {m.auth_invitation_renew()}
          </Link>
        )}
        <Button type="submit" size="lg" busyText={form.isBusy && m.auth_accepting_invitation()}>
          {m.auth_create_account()}
        </Button>
      </form>
    </AuthLayout>
  )
}

type NewMember = { firstName: string; lastName: string; password: string }

/** Completes an invited account: first the name that the team sees, then the password for the next sign-in. */
async function acceptInvitation(userId: string, { firstName, lastName, password }: NewMember) {
  const name = { first_name: firstName, last_name: lastName }
  const { error } = await database.from('users').update(name).eq('id', userId)
  if (error) return { error }
  const house_rules = await shownRulesVersion()
  const data = { ...name, locale: getLocale(), needs_password: false, house_rules }
  const result = await (await auth()).updateUser({ password, data })
  // The response to an earlier attempt was lost: the password is already set, and only this session doesn't
  // know.
  return result.error?.code === 'same_password' ? (await auth()).updateUser({ data }) : result
}
