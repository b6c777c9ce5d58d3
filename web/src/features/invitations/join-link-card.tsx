import { Copy, Eye } from 'lucide-react'
import { useState } from 'react'
import { formatLocale } from '#lib/i18n/format-locale.ts'
import { m } from '#lib/messages/messages.js'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { copyText } from '#ui/copy-text.ts'
import type { JoinLink } from './invitation-queries.ts'
import { joinAddress } from './join-address.ts'
import { QrCode } from './qr-code.tsx'

type JoinLinkCardProps = {
  link: JoinLink
  /** Known once the admin asked for it. */
  token: string | undefined
  isShowing: boolean
  isBusy: boolean
  onShow: () => void
  onRevoke: () => void
}

export function JoinLinkCard({ link, token, isShowing, isBusy, ...on }: JoinLinkCardProps) {
  const [isAsking, setIsAsking] = useState(false)
  const address = token && joinAddress(token)
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
      {address && (
        <>
          <QrCode text={address} label={m.invitations_qr()} />
          <p className="rounded-field bg-surface px-3.5 py-3 text-small break-all">{address}</p>
        </>
      )}
      <div className="grid gap-3 sm:grid-cols-2">
        {address ? (
          <Button onClick={() => void copyText(address, m.invitations_copied())}>
            <Copy aria-hidden="true" className="size-5" />
            {m.invitations_copy()}
          </Button>
        ) : (
          <Button variant="tint" busyText={isShowing && m.ui_loading()} onClick={on.onShow}>
            <Eye aria-hidden="true" className="size-5" />
            {m.invitations_show_link()}
          </Button>
        )}
        <Button variant="danger-ghost" isWaiting={isBusy} onClick={() => setIsAsking(true)}>
          {m.invitations_take_back()}
        </Button>
      </div>
      <ConfirmDialog
        open={isAsking}
        title={m.invitations_take_back_title()}
        text={m.invitations_take_back_text()}
        confirmLabel={m.invitations_take_back()}
        isDestructive
        onCancel={() => setIsAsking(false)}
        onConfirm={() => {
          setIsAsking(false)
          on.onRevoke()
        }}
      />
    </Card>
  )
}
