// The mount table: each service's prefix, body limit, and paths that need no API key.
import type { AuthService } from '#auth/service.ts'
import type { Handler } from '#http/context.ts'
import { LIMITS as HTTP_LIMITS } from '#http/limits.ts'
import { LIMITS as REALTIME_LIMITS } from '#realtime/limits.ts'
import type { RealtimeService } from '#realtime/service.ts'
import { LIMITS as REST_LIMITS } from '#rest/limits.ts'
import { resumableOptions } from '#storage/resumable/protocol.ts'
import { createBatch } from './batch.ts'
import { LIMITS } from './limits.ts'
import type { MountedService } from './services.ts'

/** Enough for a form with one secret. */
const MAILBOX_BODY_LIMIT = 1024

/** Mail clients and browsers open these directly, without the app. */
const OPEN_AUTH_PATH = /^\/auth\/v1\/(verify|callback|\.well-known\/[\w.-]+)$/
const OPEN_STORAGE_PATH =
  /^\/storage\/v1\/(object\/(public|sign|upload\/sign|info\/public)\/|upload\/resumable\/sign(\/|$))/

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
    {
      kind: 'rest',
      prefix: '/rest/v1',
      handle: rest.handle,
      bodyLimit: REST_LIMITS.serviceBodyBytes,
      pacesRefusals: true,
    },
    {
      kind: 'rest',
      prefix: '/batch/v1',
      handle: createBatch(rest.handle),
      bodyLimit: REST_LIMITS.callBodyBytes,
      anonymousBodyLimit: HTTP_LIMITS.anonymousBodyBytes,
    },
    {
      kind: 'auth',
      prefix: '/auth/v1',
      handle: auth.handle,
      bodyLimit: LIMITS.authBodyBytes,
      isOpen: (path) => OPEN_AUTH_PATH.test(path),
    },
    {
      kind: 'storage',
      prefix: '/storage/v1',
      handle: storage.handle,
      bodyLimit: 0,
      streams: true,
      isOpen: (path) => OPEN_STORAGE_PATH.test(path),
      optionsHeaders: resumableOptions,
    },
    {
      kind: 'realtime',
      prefix: '/realtime/v1',
      handle: realtime.handle,
      bodyLimit: REALTIME_LIMITS.httpBatchBytes,
      anonymousBodyLimit: HTTP_LIMITS.anonymousBodyBytes,
    },
    {
      kind: 'functions',
      prefix: '/functions/v1',
      handle: functions,
      bodyLimit: HTTP_LIMITS.functionBodyBytes,
      anonymousBodyLimit: HTTP_LIMITS.anonymousBodyBytes,
    },
  ]
  if (auth.mailbox) {
    mounted.push({
      kind: 'auth',
      prefix: '/_mail',
      handle: auth.mailbox,
      bodyLimit: MAILBOX_BODY_LIMIT,
      isOpen: () => true,
    })
  }
  return mounted
}
