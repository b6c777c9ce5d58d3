/** The state of push on this device. */
export type PushState =
  | { status: 'unsupported' }
  /** The installation has no web push. */
  | { status: 'off' }
  | { status: 'denied' }
  | { status: 'inactive' }
  | { status: 'active'; deviceId: string; token: string }

/** This device's push implementation: the native shell or the browser. */
export type DevicePush = {
  read(userId: string): Promise<PushState>
  /** Asks for permission and registers. A refusal is a result, not an error. */
  switchOn(userId: string): Promise<PushState>
  switchOff(userId: string, token: string): Promise<void>
}
