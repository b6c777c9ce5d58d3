import { useMutation, useQueryClient } from '@tanstack/react-query'
import { callFunction } from '#data/call-function.ts'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/server/notify-error.ts'

/** Runs a change to the set-up list, shows a refusal, and reads the list again. */
function useSetupChange<Values>(change: (values: Values) => Promise<unknown>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: change,
    onError: (error) => showError(m.setup_error_saving(), error),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['setup_checklist'] }),
  })
}

/** Puts the list away, or fetches it again. */
export const usePutAway = () =>
  useSetupChange((is_away: boolean) => callFunction('put_setup_away', { is_away }))

/** Says that an item is done elsewhere, or takes that back. */
export const useConfirmItem = (item: string) =>
  useSetupChange((is_done: boolean) => callFunction('confirm_setup_item', { item, is_done }))
