import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { m } from '#lib/messages/messages.js'
import { useDebouncedValue } from '#lib/use-debounced-value.ts'
import { LoadError } from '#ui/load-error.tsx'
import { Modal } from '#ui/modal.tsx'
import { RowButton } from '#ui/row-button.tsx'
import { SearchField } from '#ui/search-field.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'

const SETTLE_MS = 250
const MOST_FOUND = 50

export type Choice = { id: string; name: string; detail?: string }

type Props = {
  title: string
  description?: string
  searchLabel: string
  icon: ReactNode
  /** Said where nothing was found. */
  none: string
  /** Where the choices are kept; the words follow. */
  queryKey: readonly string[]
  find: (query: string, most: number, signal: AbortSignal) => Promise<Choice[]>
  onPick: (choice: Choice) => void
  onClose: () => void
}

/** A sheet to choose one of many that the server finds by their names; it closes itself. */
export function PickerSheet({
  title,
  description,
  searchLabel,
  icon,
  none,
  queryKey,
  find,
  onPick,
  onClose,
}: Props) {
  const [typed, setTyped] = useState('')
  const query = useDebouncedValue(typed.trim(), SETTLE_MS)
  const {
    data: choices,
    error,
    refetch,
  } = useQuery({
    queryKey: [...queryKey, query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => find(query, MOST_FOUND, signal),
  })
  return (
    <Modal open onClose={onClose} title={title} {...(description && { description })}>
      <SearchField label={searchLabel} value={typed} onChange={setTyped} />
      {/* The sheet keeps its place while the list changes. */}
      <div className="h-96 max-h-[50dvh] overflow-y-auto">
        {!choices && !error && <SkeletonRows />}
        {!choices && error && (
          <LoadError
            error={error}
            describe={(message) => m.ui_picker_error({ message })}
            onRetry={() => void refetch()}
          />
        )}
        {choices?.length === 0 && <p className="p-4 text-muted">{none}</p>}
        {choices?.map((choice) => (
          <RowButton
            key={choice.id}
            icon={icon}
            label={choice.name}
            {...(choice.detail && { detail: choice.detail })}
            onClick={() => {
              onClose()
              onPick(choice)
            }}
          />
        ))}
        {choices && choices.length >= MOST_FOUND && (
          <p className="p-4 text-note text-muted">{m.ui_picker_more()}</p>
        )}
      </div>
    </Modal>
  )
}
