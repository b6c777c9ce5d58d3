import { useMutation, useQueryClient } from '@tanstack/react-query'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/server/notify-error.ts'
import { useSingleRun } from '#lib/use-single-run.ts'

/**
 * Runs a change to a member, once however often it is pressed, shows a refusal, and reads the members again. `thing`: of
 * what may be chosen differently meanwhile, the last choice must be stored last.
 */
export function useMemberChange<Values>(change: (values: Values) => Promise<void>, thing?: string) {
  const queryClient = useQueryClient()
  const run = useSingleRun(change)
  return useMutation({
    mutationFn: run,
    ...(thing && { scope: { id: thing } }),
    onError: (error) => showError(m.members_error_saving(), error),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['users'] }),
  })
}
