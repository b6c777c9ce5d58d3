import { Copy, Mail } from 'lucide-react'
import { useState } from 'react'
import { m } from '#lib/messages/messages.js'
import { PRODUCT_NAME } from '#lib/product.ts'
import { Card } from '#ui/card.tsx'
import { IconButton } from '#ui/icon-button.tsx'
import { TextArea } from '#ui/text-area.tsx'
import { copyLink } from './copy-link.ts'
import { joinAddress } from './join-address.ts'
import { parseInvitees, type Invitee } from './parse-invitees.ts'

/** A pasted list becomes one filled-in invitation per person, sent from the admin's own mail program. */
export function InviteeList({ token }: { token: string }) {
  const [pasted, setPasted] = useState('')
  const { invitees, unread } = parseInvitees(pasted)
  return (
    <Card className="grid gap-3">
      <TextArea
        label={m.invitations_people()}
        hint={m.invitations_people_hint()}
        placeholder="Maya Ortiz <maya@example.com>"
        error={unread.length ? m.invitations_unread({ lines: unread.join(', ') }) : undefined}
        rows={4}
        value={pasted}
        onChange={(event) => setPasted(event.target.value)}
      />
      {invitees.length > 0 && (
        <ul className="grid divide-y divide-line">
          {invitees.map((invitee) => (
            <InviteeRow key={invitee.email} token={token} invitee={invitee} />
          ))}
        </ul>
      )}
    </Card>
  )
}

function InviteeRow({ token, invitee }: { token: string; invitee: Invitee }) {
  const address = joinAddress(token, invitee)
  const name = `${invitee.firstName} ${invitee.lastName}`.trim()
  const label = m.invitations_mail_to({ person: name || invitee.email })
  return (
    <li className="flex items-center gap-3 py-2">
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">{name || invitee.email}</p>
        {name && <p className="truncate text-note text-muted">{invitee.email}</p>}
      </div>
      <IconButton
        label={m.invitations_copy_for({ person: name || invitee.email })}
        icon={<Copy />}
        onClick={() => void copyLink(address)}
      />
      <a
        href={mailTo(invitee, address)}
        aria-label={label}
        title={label}
        className="grid size-11 flex-none place-items-center rounded-field bg-primary text-primary-ink hover:brightness-110"
      >
        <Mail className="size-5.5" />
      </a>
    </li>
  )
}

function mailTo({ email, firstName }: Invitee, address: string) {
  const subject = m.invitations_mail_subject({ product: PRODUCT_NAME })
  const body = m.invitations_mail_body({ name: firstName, address, product: PRODUCT_NAME })
  return `mailto:${encodeURIComponent(email)}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`
}
