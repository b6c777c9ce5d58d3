import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/notify-error.ts'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { showToast } from '#ui/toast-store.ts'
import {
  readPushState,
  sendTestPush,
  switchPushOff,
  switchPushOn,
  type PushState,
} from './push-subscription.ts'

const PUSH_STATE = ['push_devices', 'this']

/** Push on this browser: on, off, and a test. */
export function ThisDevice() {
  const queryClient = useQueryClient()
  const { data: state, error } = useQuery({ queryKey: PUSH_STATE, queryFn: readPushState })
  const change = useMutation({
    mutationFn: (isOn: boolean): Promise<PushState> =>
      isOn ? switchPushOn() : switchPushOff().then(() => ({ status: 'inactive' })),
    onSuccess: (next) => queryClient.setQueryData(PUSH_STATE, next),
    onError: (failure) => showError(m.notifications_error_saving(), failure),
  })
  const test = useMutation({
    mutationFn: sendTestPush,
    onSuccess: () => showToast(m.notifications_test_sent()),
    onError: (failure) => showError(m.notifications_error_testing(), failure),
  })
  const isOn = state?.status === 'active'
  return (
    <Card className="grid gap-2">
      <h2 className="font-semibold">{m.notifications_this_device()}</h2>
      <p className="text-small text-muted" role="status">
        {error ? m.notifications_error_loading() : describe(state)}
      </p>
      <div className="flex flex-wrap gap-2 empty:hidden">
        {(isOn || state?.status === 'inactive') && (
          <Button
            size="sm"
            variant={isOn ? 'ghost' : 'primary'}
            disabled={change.isPending}
            onClick={() => change.mutate(!isOn)}
          >
            {isOn ? m.notifications_switch_off() : m.notifications_switch_on()}
          </Button>
        )}
        {isOn && (
          <Button
            size="sm"
            variant="tint"
            disabled={test.isPending}
            onClick={() => test.mutate(state.deviceId)}
          >
            {m.notifications_send_test()}
          </Button>
        )}
      </div>
    </Card>
  )
}

function describe(state: PushState | undefined) {
  switch (state?.status) {
    case 'active':
      return m.notifications_device_on()
    case 'inactive':
      return m.notifications_device_off()
    case 'denied':
      return m.notifications_device_denied()
    case 'off':
      return m.notifications_device_no_channel()
    case 'unsupported':
      return m.notifications_device_unsupported()
    case undefined:
      return m.notifications_device_checking()
  }
}
