import { useMutation, useQueryClient } from '@tanstack/react-query'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/supabase/notify-error.ts'
import {
  resetSecondFactor,
  setMemberStatus,
  setVicePresident,
  type MemberStatus,
} from './member-queries.ts'

type Change = { id: string; status: MemberStatus; reason?: string }

/** Suspends, removes or readmits a member; a refusal is shown. */
export function useSetStatus() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id, status, reason }: Change) => setMemberStatus(id, status, reason),
    onError: (error) => showError(m.members_error_saving(), error),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['users'] }),
  })
}

/** Chooses a vice president, or takes the choice back. */
export function useSetVicePresident() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id, isOn }: { id: string; isOn: boolean }) => setVicePresident(id, isOn),
    onError: (error) => showError(m.members_error_saving(), error),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['users'] }),
  })
}

/** Takes away a member's second factor, for a phone that was lost. */
export function useResetSecondFactor() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id, reason }: { id: string; reason: string }) => resetSecondFactor(id, reason),
    onError: (error) => showError(m.members_error_saving(), error),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['users'] }),
  })
}
