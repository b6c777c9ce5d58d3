import { useMutation, useQueryClient } from '@tanstack/react-query'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/server/notify-error.ts'
import { useSingleRun } from '#lib/use-single-run.ts'
import { showToast } from '#ui/toast-store.ts'

/** Changes that run, until the queue was read again. */
export const SUPERVISION_CHANGE = ['supervision_change']

type Options = {
  /** Of what may be chosen differently meanwhile, the last choice must be stored last. */
  thing?: string
  /** A form shows itself why it was refused. */
  isRefusedInForm?: boolean
}

/**
 * Runs a change, says that it is done or why it was refused, and reads the queue again: another supervisor may have
 * been quicker. Pressed twice, it runs and says so once.
 */
export function useSupervisionChange<Values>(
  change: (values: Values) => Promise<unknown>,
  whenDone?: (values: Values) => string,
  { thing, isRefusedInForm = false }: Options = {},
) {
  const queryClient = useQueryClient()
  const run = useSingleRun(async (values: Values) => {
    await change(values)
    if (whenDone) showToast(whenDone(values))
  })
  return useMutation({
    mutationKey: SUPERVISION_CHANGE,
    mutationFn: run,
    ...(thing && { scope: { id: thing } }),
    onError: (error) => {
      if (!isRefusedInForm) showError(m.supervision_error_saving(), error)
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['review_items'] }),
  })
}
