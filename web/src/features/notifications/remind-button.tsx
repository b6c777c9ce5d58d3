import { useMutation, useQueryClient } from '@tanstack/react-query'
import { formatCount } from '#lib/i18n/format-count.ts'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/server/notify-error.ts'
import { Button } from '#ui/button.tsx'
import { showToast } from '#ui/toast-store.ts'
import { remind, type Reminded } from './notice-queries.ts'

/** Reminds everybody who has not acknowledged the notice, and says how it reached them, or why nobody was. */
export function RemindButton({ noticeId }: { noticeId: string }) {
  const queryClient = useQueryClient()
  const reminding = useMutation({
    mutationFn: () => remind(noticeId),
    onSuccess: (result) => showToast(outcomeOf(result)),
    onError: (error) => showError(m.notifications_error_saving(), error),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['team_notices'] }),
  })
  return (
    <Button
      size="sm"
      variant="tint"
      isWaiting={reminding.isPending}
      onClick={() => reminding.mutate()}
    >
      {m.notifications_remind()}
    </Button>
  )
}

export function outcomeOf(result: Reminded): string {
  const { reminded, with_device, with_mail, reminded_just_now } = result
  if (reminded > 0) {
    const count = formatCount(reminded)
    const now =
      with_device > 0
        ? m.notifications_reminded({ count, devices: formatCount(with_device) })
        : m.notifications_reminded_in_app({ count })
    return with_mail > 0
      ? `${now} ${m.notifications_reminded_mail({ count: formatCount(with_mail) })}`
      : now
  }
  return reminded_just_now > 0
    ? m.notifications_reminded_just_now()
    : m.notifications_reminded_nobody()
}
