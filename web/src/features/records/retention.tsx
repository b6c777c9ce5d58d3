import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { recordKindName } from '#domain/record-kinds.ts'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/server/notify-error.ts'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { showToast } from '#ui/toast-store.ts'
import { setRetention, type Retained } from './records-queries.ts'

/** Years; the law's shortest first (docs/archive.md). */
const CHOICES = [3, 4, 5, 6, 7, 8, 10, 15, 20, 30]

/** How long each kind of record is kept. */
export function Retention({ retention }: { retention: Retained[] }) {
  const queryClient = useQueryClient()
  const [shortening, setShortening] = useState<{ category: string; years: number }>()
  const change = useMutation({
    mutationFn: setRetention,
    scope: { id: 'archive-retention' },
    onSuccess: () => showToast(m.records_was_saved()),
    onError: (failure) => showError(m.records_failed, failure),
    onSettled: () => {
      setShortening(undefined)
      return queryClient.invalidateQueries({ queryKey: ['records'] })
    },
  })
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {retention.map(({ category, years: now }) => {
          const years =
            change.variables?.category === category && change.isPending
              ? change.variables.years
              : now
          return (
            <SelectField
              key={category}
              label={recordKindName(category)}
              value={String(years)}
              options={[...new Set([...CHOICES, now])]
                .sort((one, other) => one - other)
                .map((each) => ({
                  value: String(each),
                  label: m.records_years({ count: each }),
                }))}
              onChange={(event) => {
                const next = { category, years: Number(event.target.value) }
                if (next.years < now) setShortening(next)
                else change.mutate(next)
              }}
            />
          )
        })}
      </div>
      <p className="max-w-prose text-small text-muted">{m.records_retention_text()}</p>
      <ConfirmDialog
        open={shortening !== undefined}
        title={m.records_shorten_title({
          years: m.records_years({ count: shortening?.years ?? 0 }),
        })}
        text={m.records_shorten_text()}
        confirmLabel={m.records_shorten()}
        busyText={change.isPending && m.records_saving()}
        isDestructive
        onCancel={() => setShortening(undefined)}
        onConfirm={() => shortening && change.mutate(shortening)}
      />
    </>
  )
}
