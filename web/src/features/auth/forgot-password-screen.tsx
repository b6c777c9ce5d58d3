import { KeyRound, MailOpen } from 'lucide-react'
import { useState, type ComponentProps } from 'react'
import { useLocation } from 'react-router'
import { auth } from '#data/session/auth.ts'
import { useSession } from '#data/session/session.ts'
import { AddressText } from '#domain/address-text.tsx'
import { useSendingForm } from '#lib/forms/use-sending-form.ts'
import { m } from '#lib/messages/messages.js'
import { mailedPage } from '#lib/server/site-address.ts'
import { Button } from '#ui/button.tsx'
import { FormError } from '#ui/form-error.tsx'
import { NavigationButton } from '#ui/navigation-button.tsx'
import { emailOnlySchema } from './account-schemas.ts'
import { AuthLayout } from './auth-layout.tsx'
import { EmailField } from './email-field.tsx'
import type { AccountPrefill } from './sign-up.ts'
import { StatePicture } from './state-picture.tsx'

export function ForgotPasswordScreen() {
  const [sentTo, setSentTo] = useState<string>()
  return sentTo === undefined ? <ResetForm onSent={setSentTo} /> : <Sent email={sentTo} />
}

function ResetForm({ onSent }: { onSent: (email: string) => void }) {
  const form = useSendingForm({
    schema: emailOnlySchema,
    defaultValues: { email: (useLocation().state as AccountPrefill | null)?.email ?? '' },
    send: async ({ email }) =>
      (await auth()).resetPasswordForEmail(email, { redirectTo: mailedPage('/new-password') }),
    refusal: (message) => m.auth_reset_failed({ message }),
    onSuccess: ({ email }) => onSent(email),
  })
  return (
    <AuthLayout
      picture={<StatePicture icon={<KeyRound />} tone="waiting" />}
      title={m.auth_reset_password()}
      text={m.auth_reset_text()}
    >
      <form noValidate onSubmit={form.submit} className="grid gap-4">
        <EmailField {...form.field('email')} />
        <FormError text={form.error} />
        <Button type="submit" size="lg" busyText={form.isBusy && m.auth_sending_reset_link()}>
          {m.auth_send_reset_link()}
        </Button>
        <WayBack variant="plain" />
      </form>
    </AuthLayout>
  )
}

function Sent({ email }: { email: string }) {
  return (
    <AuthLayout
      picture={<StatePicture icon={<MailOpen />} tone="done" />}
      title={m.auth_check_your_email()}
      text={<p role="status">{m.auth_reset_mail_sent()}</p>}
    >
      <p className="font-semibold wrap-anywhere">
        <AddressText address={email} />
      </p>
      <p className="text-small text-muted">{m.auth_reset_note()}</p>
      <WayBack size="lg" />
    </AuthLayout>
  )
}

/** Home, for a member who was asked for the password on the way to something else. */
function WayBack(look: Pick<ComponentProps<typeof NavigationButton>, 'variant' | 'size'>) {
  const isSignedIn = useSession().status === 'signed-in'
  return (
    <NavigationButton to="/" {...look}>
      {isSignedIn ? m.auth_back_to_home() : m.auth_back_to_login()}
    </NavigationButton>
  )
}
