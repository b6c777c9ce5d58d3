import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { callFunction } from '#data/call-function.ts'
import { useUserId } from '#data/session/session.ts'
import { m } from '#lib/messages/messages.js'
import { isNativeShell } from '#lib/native/is-native-shell.ts'
import { messageOf, showError } from '#lib/server/notify-error.ts'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { showToast } from '#ui/toast-store.ts'
import type { PushState, DevicePush } from './push-state.ts'

/** Push on this browser or phone: on, off, and a test. */
export function ThisDevice() {
  const userId = useUserId()
  const queryClient = useQueryClient()
  const queryKey = ['push_devices', 'this', userId]
  const { data: state, error } = useQuery({
    queryKey,
    queryFn: async () => (await devicePush()).read(userId),
  })
  const change = useMutation({
    mutationFn: () => switchOver(userId, state),
    onSuccess: (next) => queryClient.setQueryData(queryKey, next),
    onError: (failure) => showError(m.notifications_error_saving(), failure),
  })
  const test = useMutation({
    mutationFn: sendTestPush,
    onSuccess: () => showToast(m.notifications_test_sent()),
    onError: (failure) => showError(m.notifications_error_testing(), failure),
  })
  const isOn = state?.status === 'active'
  return (
    <Card className="grid grid-cols-1 gap-2">
      <h2 className="font-semibold">{m.notifications_this_device()}</h2>
      <p className="text-small text-muted" role="status">
        {error
          ? `${m.notifications_error_loading()}: ${messageOf(error)}`
          : describePushState(state)}
      </p>
      <div className="flex flex-wrap gap-2 empty:hidden">
        {!state && !error && <Skeleton className="h-11 w-28 rounded-full" />}
        {(isOn || state?.status === 'inactive') && (
          <Button
            size="sm"
            variant={isOn ? 'ghost' : 'primary'}
            isWaiting={change.isPending}
            onClick={() => change.mutate()}
          >
            {isOn ? m.notifications_switch_off() : m.notifications_switch_on()}
          </Button>
        )}
        {isOn && (
          <Button
            size="sm"
            variant="tint"
            isWaiting={test.isPending}
            onClick={() => test.mutate(state.deviceId)}
          >
            {m.notifications_send_test()}
          </Button>
        )}
      </div>
    </Card>
  )
}

async function switchOver(userId: string, state: PushState | undefined): Promise<PushState> {
  const push = await devicePush()
  if (state?.status !== 'active') return push.switchOn(userId)
  await push.switchOff(userId, state.token)
  return { status: 'inactive' }
}

/** What to tell the member about push on this device, and what they can do about it. */
function describePushState(state: PushState | undefined): string {
  const isPhone = isNativeShell()
  switch (state?.status) {
    case 'active':
      return m.notifications_device_on()
    case 'inactive':
      return m.notifications_device_off()
    case 'denied':
      return isPhone ? m.notifications_phone_denied() : m.notifications_device_denied()
    case 'off':
      return m.notifications_device_no_channel()
    case 'unsupported':
      return isPhone ? m.notifications_phone_unsupported() : m.notifications_device_unsupported()
    case undefined:
      return m.notifications_device_checking()
  }
}

/** Keeps the browser implementation out of the native apps, and the other way round. */
async function devicePush(): Promise<DevicePush> {
  return isNativeShell()
    ? (await import('./phone-push.ts')).phonePush
    : (await import('./browser-push.ts')).browserPush
}

async function sendTestPush(deviceId: string): Promise<void> {
  await callFunction('send_test_push', { device_id: deviceId })
}
