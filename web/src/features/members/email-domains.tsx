import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { SettingChange } from '#domain/changed-by.tsx'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/server/notify-error.ts'
import { Button } from '#ui/button.tsx'
import { ChipButton } from '#ui/chip-button.tsx'
import { TextField } from '#ui/text-field.tsx'
import { changeDomains, MOST_DOMAINS, readDomain } from './registration-rules.ts'

/** The domains whose addresses may sign up, to add and to remove. */
export function EmailDomains({ domains }: { domains: string[] }) {
  const queryClient = useQueryClient()
  const [typed, setTyped] = useState('')
  const [error, setError] = useState<string>()
  const change = useMutation({
    mutationFn: changeDomains,
    scope: { id: 'email-domains' },
    onError: (failure) => showError(m.members_registration_failed(), failure),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['team_settings'] }),
  })

  function add(event: FormEvent) {
    event.preventDefault()
    const domain = readDomain(typed)
    if (!domain) return setError(m.members_domain_invalid())
    const isNew = !domains.includes(domain)
    if (isNew && domains.length >= MOST_DOMAINS)
      return setError(m.members_domain_most({ most: MOST_DOMAINS }))
    setError(undefined)
    change.mutate((now) => [...new Set([...now, domain])], { onSuccess: () => setTyped('') })
  }

  return (
    <div className="grid grid-cols-1 gap-2.5">
      <form noValidate onSubmit={add} className="grid grid-cols-1 gap-2.5">
        <TextField
          label={m.members_domains()}
          hint={m.members_domains_hint()}
          error={error}
          inputMode="url"
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            setError(undefined)
          }}
        />
        <Button
          type="submit"
          size="sm"
          variant="tint"
          className="justify-self-start"
          isWaiting={change.isPending}
        >
          {m.members_domain_add()}
        </Button>
      </form>
      {domains.length > 0 && (
        <ul aria-label={m.members_domains()} className="flex flex-wrap gap-2">
          {domains.map((domain) => (
            <li key={domain} className="min-w-0">
              <ChipButton
                variant="remove"
                aria-label={m.members_domain_remove({ domain })}
                disabled={change.isPending}
                onClick={() => change.mutate((now) => now.filter((each) => each !== domain))}
              >
                <span className="min-w-0 truncate">{domain}</span>
              </ChipButton>
            </li>
          ))}
        </ul>
      )}
      <SettingChange setting="email_domains" />
    </div>
  )
}
