import { queryOptions } from '@tanstack/react-query'
import { keptOnDevice } from '#data/kept/kept-queries.ts'
import { pendingChanges, writesLater, writeSoon } from '#data/kept/pending-writes.ts'
import { queryClient } from '#data/query-client.ts'
import { database } from '#data/supabase.ts'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/server/notify-error.ts'

type Done = { item_id: string }
export type Tick = { itemId: string; isDone: boolean }

const TICK = 'tick'

/**
 * The New Rep Start items this member has completed, with what still waits on this device. Filtered by member, because
 * admins may read everyone's.
 */
export const progressQuery = (userId: string) =>
  queryOptions({
    ...keptOnDevice<Done[]>({ fromKept: (done) => withPending(userId, done) }),
    queryKey: ['onboarding_progress', userId],
    queryFn: async ({ signal }) => {
      const { data } = await database
        .from('onboarding_progress')
        .select('item_id')
        .eq('user_id', userId)
        .abortSignal(signal)
        .throwOnError()
      return withPending(userId, data)
    },
  })

const withPending = (userId: string, done: Done[]) =>
  pendingChanges<Tick>(userId, TICK).reduce(withTick, done)

/** Shows at once, and waits on this device while offline. */
export function tick(userId: string, change: Tick) {
  queryClient.setQueryData(progressQuery(userId).queryKey, (done) => done && withTick(done, change))
  void writeSoon(userId, { id: `${TICK} ${change.itemId}`, kind: TICK, values: change })
}

function withTick(done: Done[], { itemId, isDone }: Tick): Done[] {
  const others = done.filter(({ item_id }) => item_id !== itemId)
  return isDone ? [...others, { item_id: itemId }] : others
}

writesLater<Tick>(TICK, {
  async write({ itemId, isDone }, userId) {
    const rows = database.from('onboarding_progress')
    if (isDone) {
      // Already checked on another device, which is the desired state.
      await rows
        .upsert({ user_id: userId, item_id: itemId }, { ignoreDuplicates: true })
        .throwOnError()
    } else {
      await rows.delete().eq('user_id', userId).eq('item_id', itemId).throwOnError()
    }
  },
  onSettled: () => void queryClient.invalidateQueries({ queryKey: ['onboarding_progress'] }),
  onRefused: (error) => showError(m.content_tick_error(), error),
})
