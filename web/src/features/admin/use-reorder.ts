import { useMutation, useQueryClient } from '@tanstack/react-query'
import { invalidateWhenIdle } from '#lib/live/invalidate-when-idle.ts'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/supabase/notify-error.ts'
import { managedItemsQuery, reorderItems } from './admin-queries.ts'
import type { ContentType } from './content-types.ts'
import type { ManagedItem } from './managed-item.ts'

/** The new order shows optimistically; if the server refuses it, the saved order returns. */
export function useReorder(type: ContentType) {
  const queryClient = useQueryClient()
  const { queryKey } = managedItemsQuery(type, true)
  const mutationKey = [type.table, 'reorder'] as const
  return useMutation({
    mutationKey,
    mutationFn: (items: ManagedItem[]) =>
      reorderItems(
        type,
        items.map(({ id }) => id),
      ),
    // Two quick moves must be stored in order.
    scope: { id: `reorder ${type.id}` },
    onMutate: async (items) => {
      await queryClient.cancelQueries({ queryKey })
      const before = queryClient.getQueryData<ManagedItem[]>(queryKey)
      const places = new Map(items.map(({ id }, index) => [id, index + 1]))
      queryClient.setQueryData<ManagedItem[]>(queryKey, (all) =>
        all?.map((item) => ({ ...item, sort_order: places.get(item.id) ?? item.sort_order })),
      )
      return { before }
    },
    onError: (error, _items, context) => {
      queryClient.setQueryData(queryKey, context?.before)
      showError(m.admin_error_saving(), error)
    },
    onSettled: () => invalidateWhenIdle(queryClient, mutationKey),
  })
}
