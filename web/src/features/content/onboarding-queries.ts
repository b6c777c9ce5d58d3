import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/notify-error.ts'
import { READS_OFFLINE, readWithOfflineCopy, type Reading } from '#lib/offline-copy.ts'
import { refreshAfterLast } from '#lib/refresh-after-last.ts'
import { database } from '#lib/supabase.ts'

type Done = { item_id: string }

/** The New Rep Start items this member has ticked. Admins may read everybody's, hence the filter. */
export const progressQuery = (userId: string) =>
  queryOptions({
    ...READS_OFFLINE,
    queryKey: ['onboarding_progress', userId],
    queryFn: ({ signal }) =>
      readWithOfflineCopy(`onboarding_progress ${userId}`, async () => {
        const { data } = await database
          .from('onboarding_progress')
          .select('item_id')
          .eq('user_id', userId)
          .retry(false)
          .abortSignal(signal)
          .throwOnError()
          .overrideTypes<Done[], { merge: false }>()
        return data
      }),
  })

export type Tick = { itemId: string; isDone: boolean }

/** Ticks show at once; what the server refuses is taken back and said. */
export function useTick(userId: string) {
  const queryClient = useQueryClient()
  const { queryKey } = progressQuery(userId)
  const show = ({ itemId, isDone }: Tick) =>
    queryClient.setQueryData<Reading<Done[]>>(queryKey, (reading) => {
      if (!reading) return reading
      const others = reading.data.filter(({ item_id }) => item_id !== itemId)
      return { ...reading, data: isDone ? [...others, { item_id: itemId }] : others }
    })
  const mutationKey = ['onboarding_progress', 'tick'] as const
  return useMutation({
    mutationKey,
    mutationFn: (tick: Tick) => writeTick(userId, tick),
    // Ticked and unticked in a hurry, the last one must win on the server too.
    scope: { id: 'onboarding' },
    onMutate: async (tick) => {
      await queryClient.cancelQueries({ queryKey })
      show(tick)
    },
    onError: (error, tick) => {
      show({ ...tick, isDone: !tick.isDone })
      showError(m.content_tick_error(), error)
    },
    onSettled: () => refreshAfterLast(queryClient, mutationKey),
  })
}

async function writeTick(userId: string, { itemId, isDone }: Tick) {
  const rows = database.from('onboarding_progress')
  if (isDone) {
    // Ticked on another device already: that is what was wanted.
    await rows
      .upsert({ user_id: userId, item_id: itemId }, { ignoreDuplicates: true })
      .throwOnError()
  } else {
    await rows.delete().eq('user_id', userId).eq('item_id', itemId).throwOnError()
  }
}
