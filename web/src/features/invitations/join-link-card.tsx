import { Copy } from 'lucide-react'
import { formatLocale } from '#lib/format-locale.ts'
import { m } from '#lib/messages/messages.js'
import { copyText } from '#ui/copy-text.ts'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import type { JoinLink } from './invitation-queries.ts'
import { joinAddress } from './join-address.ts'
import { QrCode } from './qr-code.tsx'

type JoinLinkCardProps = { link: JoinLink; isBusy: boolean; onTakeBack: () => void }

export function JoinLinkCard({ link, isBusy, onTakeBack }: JoinLinkCardProps) {
  const address = joinAddress(link.token)
  const until = new Date(link.expires_at).toLocaleString(formatLocale(), {
    dateStyle: 'medium',
    timeStyle: 'short',
  })
  return (
    <Card className="grid grid-cols-1 gap-4">
      <div>
        <h2 className="font-semibold">{m.invitations_link_title()}</h2>
        <p className="text-small text-muted">{m.invitations_link_text({ until })}</p>
      </div>
      <QrCode text={address} label={m.invitations_qr()} />
      <p className="rounded-field bg-surface px-3.5 py-3 text-small break-all">{address}</p>
      <div className="grid gap-3 sm:grid-cols-2">
        <Button onClick={() => void copyText(address, m.invitations_copied())}>
          <Copy aria-hidden="true" className="size-5" />
          {m.invitations_copy()}
        </Button>
        <Button variant="danger-ghost" isWaiting={isBusy} onClick={onTakeBack}>
          {m.invitations_take_back()}
        </Button>
      </div>
    </Card>
  )
}
