import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { SettingChange } from '#domain/changed-by.tsx'
import type { Registration, RegistrationRules } from '#domain/registration.ts'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/server/notify-error.ts'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { showToast } from '#ui/toast-store.ts'
import { EmailDomains } from './email-domains.tsx'
import { RULES, saveRegistration } from './registration-rules.ts'

const CHOICES = Object.keys(RULES) as Registration[]

/** Who can come onto the team, and with addresses of which domains (product.md P180, P181). */
export function RegistrationSettings({ rules }: { rules: RegistrationRules }) {
  return (
    <>
      <RegistrationChoice registration={rules.registration} />
      <EmailDomains domains={rules.email_domains} />
    </>
  )
}

function RegistrationChoice({ registration }: { registration: Registration }) {
  const queryClient = useQueryClient()
  const [chosen, setChosen] = useState<Registration>()
  const change = useMutation({
    mutationFn: saveRegistration,
    // The last of two quick choices must be stored last.
    scope: { id: 'registration' },
    onSuccess: () => showToast(m.members_registration_saved()),
    onError: (error) => showError(m.members_registration_failed(), error),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['team_settings'] }),
  })
  const shown = chosen ?? (change.isPending ? change.variables : registration)
  return (
    <>
      <SelectField
        label={m.members_registration()}
        hint={
          <>
            {RULES[shown].text()}
            <SettingChange setting="registration" />
          </>
        }
        value={shown}
        onChange={(event) => setChosen(event.target.value as Registration)}
        options={CHOICES.map((value) => ({ value, label: RULES[value].name() }))}
      />
      <ConfirmDialog
        open={chosen !== undefined}
        title={m.members_registration_question()}
        text={`${RULES[shown].text()} ${m.members_registration_stays()}`}
        confirmLabel={m.members_registration_change()}
        onCancel={() => setChosen(undefined)}
        onConfirm={() => {
          if (chosen) change.mutate(chosen)
          setChosen(undefined)
        }}
      />
    </>
  )
}
