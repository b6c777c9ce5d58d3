import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Pencil, Trash2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { clockTime } from '#domain/clock-time.ts'
import { timeSince } from '#lib/i18n/time-since.ts'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/server/notify-error.ts'
import { Button } from '#ui/button.tsx'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { FallbackImage } from '#ui/fallback-image.tsx'
import { IconButton } from '#ui/icon-button.tsx'
import { showToast } from '#ui/toast-store.ts'
import { setItemActive } from './admin-queries.ts'
import type { ContentType } from './content-types.ts'
import type { ManagedItem } from './managed-item.ts'

type Props = {
  type: ContentType
  item: ManagedItem
  handle: ReactNode
  /** Who changed it last; unknown for what came with the installation. */
  editor: string | undefined
  onEdit: () => void
}

export function ItemRow({ type, item, handle, editor, onEdit }: Props) {
  const [isAsking, setIsAsking] = useState(false)
  const change = useSetActive(type, item)
  return (
    <div className="flex min-h-17 items-center gap-0.5 rounded-card border border-line bg-card p-2 shadow-card">
      {handle}
      {item.image_url ? (
        <span className="grid size-11 flex-none overflow-hidden rounded-tight bg-tint max-[22rem]:hidden sm:size-13">
          <FallbackImage src={item.image_url} alt="" className="size-full object-cover" />
        </span>
      ) : (
        // On a wide screen it aligns the texts of all rows.
        <span
          aria-hidden="true"
          className="hidden size-13 flex-none place-items-center rounded-tight bg-tint text-title font-bold text-muted lg:grid"
        >
          {[...item.title][0]?.toUpperCase()}
        </span>
      )}
      <div className="min-w-0 flex-1 px-1.5 lg:grid lg:grid-cols-[2fr_3fr] lg:items-center lg:gap-6 lg:px-3">
        <p className="line-clamp-3 leading-snug font-semibold break-words">{item.title}</p>
        <div className="min-w-0 text-note text-muted tabular-nums">
          <p className="truncate lg:line-clamp-2 lg:whitespace-normal">{detailOf(item)}</p>
          <p className="break-words">{lastChange(item, editor)}</p>
        </div>
      </div>
      {item.is_active ? (
        <>
          <IconButton
            variant="plain"
            icon={<Pencil />}
            label={m.admin_edit({ title: item.title })}
            onClick={onEdit}
          />
          <IconButton
            variant="danger"
            icon={<Trash2 />}
            label={m.admin_delete({ title: item.title })}
            onClick={() => setIsAsking(true)}
          />
        </>
      ) : (
        <Button
          variant="tint"
          size="sm"
          className="min-h-11"
          aria-label={m.admin_restore_label({ title: item.title })}
          isWaiting={change.isPending}
          onClick={() => change.mutate(true)}
        >
          {m.admin_restore()}
        </Button>
      )}
      <ConfirmDialog
        open={isAsking}
        title={m.admin_delete_title()}
        text={m.admin_delete_text({ title: item.title })}
        confirmLabel={m.admin_delete_confirm()}
        isDestructive
        onCancel={() => setIsAsking(false)}
        onConfirm={() => {
          setIsAsking(false)
          change.mutate(false)
        }}
      />
    </div>
  )
}

function useSetActive(type: ContentType, item: ManagedItem) {
  const queryClient = useQueryClient()
  const change = useMutation({
    mutationFn: (isActive: boolean) => setItemActive(type, item.id, isActive),
    onSuccess: (_, isActive) =>
      isActive
        ? showToast(m.admin_restored({ title: item.title }), undefined, item.id)
        : showToast(m.admin_deleted({ title: item.title }), () => change.mutate(true), item.id),
    onError: (error, isActive) =>
      showError(isActive ? m.admin_error_saving() : m.admin_error_deleting(), error),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [type.table] }),
  })
  return change
}

function detailOf({ start_time, end_time, description, url }: ManagedItem): string {
  if (start_time && end_time) return `${clockTime(start_time)} – ${clockTime(end_time)}`
  return description ?? url ?? ''
}

function lastChange({ updated_at }: ManagedItem, editor: string | undefined): string {
  const when = timeSince(Date.parse(updated_at), Date.now())
  return editor ? m.admin_changed_by({ name: editor, when }) : m.admin_changed({ when })
}
