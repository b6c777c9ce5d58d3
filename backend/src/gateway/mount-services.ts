// Which service answers where, what it may be sent, and which of its paths need no API key.
import type { Handler } from '#http/context.ts'
import type { AuthService } from '#auth/routes.ts'
import type { RealtimeService } from '#realtime/routes.ts'
import type { MountedService } from './services.ts'

const MEBIBYTE = 1024 * 1024

/** Mail programs and browsers open these without the app's help. */
const OPEN_AUTH_PATH = /^\/auth\/v1\/(verify|callback|\.well-known\/[\w.-]+)$/
const OPEN_STORAGE_PATH = /^\/storage\/v1\/object\/(public|sign|upload\/sign|info\/public)\//

type Services = {
  rest: { handle: Handler }
  auth: AuthService
  storage: { handle: Handler }
  realtime: RealtimeService
  functions: Handler
}

export function mountServices(services: Services): MountedService[] {
  const { rest, auth, storage, realtime, functions } = services
  const mounted: MountedService[] = [
    { kind: 'rest', prefix: '/rest/v1', handle: rest.handle, bodyLimit: 4 * MEBIBYTE },
    {
      kind: 'auth',
      prefix: '/auth/v1',
      handle: auth.handle,
      bodyLimit: MEBIBYTE / 4,
      isOpen: (path) => OPEN_AUTH_PATH.test(path),
    },
    {
      kind: 'storage',
      prefix: '/storage/v1',
      handle: storage.handle,
      bodyLimit: 0,
      streams: true,
      isOpen: (path) => OPEN_STORAGE_PATH.test(path),
    },
    { kind: 'realtime', prefix: '/realtime/v1', handle: realtime.handle, bodyLimit: 4 * MEBIBYTE },
    { kind: 'functions', prefix: '/functions/v1', handle: functions, bodyLimit: MEBIBYTE / 4 },
  ]
  if (auth.mailbox) {
    mounted.push({
      kind: 'auth',
      prefix: '/_mail',
      handle: auth.mailbox,
      bodyLimit: 0,
      isOpen: () => true,
    })
  }
  return mounted
}
