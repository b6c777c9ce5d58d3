import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query'
import { showError } from '#lib/server/notify-error.ts'
import { invalidateWhenIdle } from './read-again.ts'

type SortedList<Item> = {
  /** The table first. */
  mutationKey: readonly [string, ...unknown[]]
  queryKey: QueryKey
  save: (ids: string[]) => Promise<void>
  /** What the query holds, with these items in their new order. */
  inOrder: (data: Item[], items: Item[]) => Item[]
  errorTitle: () => string
}

/** The new order shows optimistically; if the server refuses it, the saved order returns. */
export function useReorder<Item extends { id: string }>(list: SortedList<Item>) {
  const queryClient = useQueryClient()
  const { mutationKey, queryKey } = list
  return useMutation({
    mutationKey,
    mutationFn: (items: Item[]) => list.save(items.map(({ id }) => id)),
    // Two quick moves must be stored in order.
    scope: { id: `reorder ${JSON.stringify(queryKey)}` },
    onMutate: async (items) => {
      await queryClient.cancelQueries({ queryKey })
      const before = queryClient.getQueryData<Item[]>(queryKey)
      queryClient.setQueryData<Item[]>(queryKey, (data) => data && list.inOrder(data, items))
      return { before }
    },
    onError: (error, _items, context) => {
      queryClient.setQueryData(queryKey, context?.before)
      showError(list.errorTitle(), error)
    },
    onSettled: () => invalidateWhenIdle(queryClient, mutationKey),
  })
}
