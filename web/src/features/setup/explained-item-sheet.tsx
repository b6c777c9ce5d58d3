import { m } from '#lib/messages/messages.js'
import { Button } from '#ui/button.tsx'
import { Modal } from '#ui/modal.tsx'
import type { ExplainedItem } from './setup-items.ts'
import { useConfirmItem } from './use-setup-change.ts'

type Props = { item: ExplainedItem; isConfirmable: boolean; onClose: () => void }

/** How to set up what is not set up in the app. Where no server says whether it is, an admin does. */
export function ExplainedItemSheet({ item, isConfirmable, onClose }: Props) {
  const confirm = useConfirmItem(item.id)
  const change = (isDone: boolean) => confirm.mutate(isDone, { onSuccess: onClose })
  return (
    <Modal open onClose={onClose} title={item.name()}>
      {item
        .how()
        .split('\n')
        .map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
      {isConfirmable && (
        <Button
          size="lg"
          variant={item.isDone ? 'ghost' : 'primary'}
          isWaiting={confirm.isPending}
          onClick={() => change(!item.isDone)}
        >
          {item.isDone ? m.setup_not_done() : m.setup_done_elsewhere()}
        </Button>
      )}
    </Modal>
  )
}
