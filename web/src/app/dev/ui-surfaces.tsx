import { Bell } from 'lucide-react'
import { useState } from 'react'
import { Avatar } from '#ui/avatar.tsx'
import { Badge } from '#ui/badge.tsx'
import { BrandScene } from '#ui/brand-scene.tsx'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { CardGrid } from '#ui/card-grid.tsx'
import { Chip } from '#ui/chip.tsx'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { CoverArt } from '#ui/cover-art.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { FallbackImage } from '#ui/fallback-image.tsx'
import { Logo } from '#ui/logo.tsx'
import { Modal } from '#ui/modal.tsx'
import { ProgressBar } from '#ui/progress-bar.tsx'
import { SkeletonCards, SkeletonRows } from '#ui/skeleton.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { TileLink } from '#ui/tile-link.tsx'
import { showToast } from '#ui/toast-store.ts'

const NAMES = ['Maya Ortiz', 'Theo Brandt', 'Priya Shah', 'Jonah Kim', 'Sofia Nguyen', 'Cher']

export function Pictures() {
  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        {NAMES.map((name) => (
          <Avatar key={name} name={name} />
        ))}
        <Avatar name="Maya Ortiz" size="sm" />
        <Avatar name="Maya Ortiz" size="lg" />
        <Logo />
        <Spinner />
      </div>
      <div className="flex items-center gap-3">
        {[1, 12, 99, 100].map((count) => (
          <Badge key={count} count={count} />
        ))}
        <Chip>Category</Chip>
        <Chip tone="danger">Off</Chip>
      </div>
      {[0, 2, 5].map((done) => (
        <ProgressBar key={done} label={`${done} of 5`} value={done} max={5} />
      ))}
      <CoverArt seed="A cover" className="h-18 w-full rounded-card" />
      <FallbackImage src="/no-such-picture.png" alt="Fails" className="h-24 w-full rounded-card" />
      <BrandScene className="h-48 w-full rounded-card bg-brand-from" />
    </>
  )
}

export function Surfaces() {
  return (
    <>
      <CardGrid>
        <Card>A card</Card>
        <TileLink to="/_ui" picture={Bell}>
          A tile
        </TileLink>
        <TileLink to="/_ui" picture={Bell} isPrimary>
          The tile that matters most
        </TileLink>
      </CardGrid>
      <EmptyState
        picture={<Bell />}
        title="Nothing here"
        text="And why"
        action={<Button>On</Button>}
      />
      <ErrorState text="Error loading chats: no connection" onRetry={() => undefined} />
      <SkeletonRows count={2} />
      <SkeletonCards count={1} />
    </>
  )
}

export function Dialogs() {
  const [open, setOpen] = useState<'none' | 'modal' | 'confirm'>('none')
  const close = () => setOpen('none')
  return (
    <div className="flex flex-wrap gap-3">
      <Button onClick={() => setOpen('modal')}>Modal</Button>
      <Button onClick={() => setOpen('confirm')}>Confirm</Button>
      <Button onClick={() => showToast('It is done')}>Toast</Button>
      <Modal
        open={open === 'modal'}
        onClose={close}
        title="A modal"
        description="It rises from the bottom on a phone."
        footer={<Button onClick={close}>Done</Button>}
      />
      <ConfirmDialog
        open={open === 'confirm'}
        title="Delete it?"
        text="This cannot be undone."
        confirmLabel="Delete"
        isDestructive
        onConfirm={close}
        onCancel={close}
      />
    </div>
  )
}
