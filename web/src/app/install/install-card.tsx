import { Share, Smartphone, X } from 'lucide-react'
import { PRODUCT_NAME } from '#domain/product.ts'
import { m } from '#lib/messages/messages.js'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { IconButton } from '#ui/icon-button.tsx'
import { useInstallOffer } from './install-offer.ts'

/** Offers to install the app, at the end of Home, until the member declines. */
export function InstallCard() {
  const { kind, install, dismiss } = useInstallOffer()
  if (!kind) return null
  const Picture = kind === 'prompt' ? Smartphone : Share
  return (
    <Card className="flex gap-3">
      <Picture aria-hidden="true" className="mt-0.5 size-5 flex-none text-primary" />
      <div className="grid min-w-0 flex-1 gap-2">
        <h2 className="font-semibold">{m.app_install_title({ product: PRODUCT_NAME })}</h2>
        <p className="text-small text-muted">
          {kind === 'prompt' ? m.app_install_text() : m.app_install_by_hand()}
        </p>
        {kind === 'prompt' && (
          <Button size="sm" className="justify-self-start" onClick={install}>
            {m.app_install()}
          </Button>
        )}
      </div>
      <IconButton
        variant="plain"
        className="-mt-2.5 -mr-2.5"
        label={m.app_install_dismiss()}
        icon={<X />}
        onClick={dismiss}
      />
    </Card>
  )
}
