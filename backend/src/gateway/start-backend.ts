// Assembles the services on one database.
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import {
  loadMailboxSecret,
  type MailboxSecret,
  type MailboxSettings,
} from '#auth/mail/mailbox-secret.ts'
import { readMailTemplates } from '#auth/mail/read-mail-templates.ts'
import { createAuthService, type AuthService } from '#auth/service.ts'
import type { AuthOptions } from '#auth/settings.ts'
import { createAccessTokens, type AccessTokens } from '#http/access-tokens.ts'
import { createClientAddress, createProxyCheck, type TrustedProxies } from '#http/client-address.ts'
import { systemClock, type Clock } from '#http/clock.ts'
import type { InstallationKeys } from '#http/installation-keys.ts'
import { openDatabase, type Database } from '#postgres/database.ts'
import { createRealtimeService, type RealtimeSettings } from '#realtime/service.ts'
import { createRestService, type RestSettings } from '#rest/service.ts'
import type { S3Settings } from '#storage/s3-store.ts'
import { createStorageService } from '#storage/service.ts'
import { createGateway } from './create-gateway.ts'
import { fetchInProcess, handleFunctions, type EdgeFunctions } from './edge-functions.ts'
import { mountServices } from './mount-services.ts'
import { watchOpenResponses } from './open-responses.ts'

export { loadMailboxSecret, type MailboxSecret, type MailboxSettings }
export type { EdgeFunctions, S3Settings }

export type BackendSettings = {
  /** Host, port and name of a database set up by `preparePlatform`. */
  databaseUrl: string
  keys: InstallationKeys
  /** Public URL without a trailing slash; mails link to it. */
  siteUrl: string
  /** Uploaded files are stored below it. */
  dataDir: string
  /** Shown in mails. */
  productName: string
  mailFrom?: string
  /** Without it, mail goes to the built-in mailbox. */
  smtpUrl?: string
  /** A folder with custom mail templates, see docs/operations.md. */
  mailTemplates?: string
  /** Further settings of the Auth service. */
  auth?: Partial<AuthOptions>
  /** Further settings of the Data API. */
  rest?: Partial<RestSettings>
  /** Further settings of the Realtime service. */
  realtime?: RealtimeSettings
  /** Keeps uploaded files in an S3-compatible store instead of `dataDir`. */
  s3?: S3Settings
  /** Handlers for /functions/v1/{name}. */
  functions?: EdgeFunctions
  /** Proxies whose X-Forwarded-For is trusted; none by default. */
  trustProxy?: TrustedProxies
  /** Free bytes on a directory's disk; tests simulate a small one. */
  freeBytes?: (directory: string) => Promise<number>
  clock?: Clock
  log: Logger
}

export type DrainOptions = {
  /** How long clients, or a load balancer, need to see that this process is about to end; requests are served meanwhile. */
  noticeMs: number
  /** Whether new connections are accepted meanwhile; not where another process has the same port. */
  acceptsMeanwhile: boolean
  /** Ends it early. */
  signal: AbortSignal
}

export type Backend = {
  app: FastifyInstance
  database: Database
  tokens: AccessTokens
  /** Sends a request to this backend without the network. */
  fetch(request: Request): Promise<Response>
  /** Sends mails, and shows the contents of the built-in mailbox. */
  mail: AuthService['mail']
  /**
   * Before `close`: hands the sockets over and finishes what was begun.
   */
  drain(options: DrainOptions): Promise<void>
  close(): Promise<void>
}

/** Assembles the backend without opening a port: the caller makes `app` listen or injects requests. */
export async function startBackend(settings: BackendSettings): Promise<Backend> {
  const { keys, log, clock = systemClock, siteUrl } = settings
  const tokens = await createAccessTokens(keys.signingKey, clock)
  const database = openDatabase({
    url: settings.databaseUrl,
    password: keys.databasePassword,
    onError: (error) => log.error({ err: error }, 'database connection failed'),
  })
  const shared = { database, tokens, clock, log }
  const rest = createRestService({ database, schemas: ['public'], log, ...settings.rest })
  const auth = createAuthService({ ...shared, settings: authSettings(settings) })
  const storage = createStorageService({
    ...shared,
    settings: {
      directory: join(settings.dataDir, 'storage'),
      freeBytes: settings.freeBytes,
      s3: settings.s3,
    },
  })
  const { publishableKey, secretKey } = keys
  const { trustProxy = 0 } = settings
  const clientAddress = createClientAddress(trustProxy, log)
  const realtime = createRealtimeService({
    ...shared,
    publishableKey,
    secretKey,
    clientAddress,
    ...settings.realtime,
  })
  const functions = handleFunctions(settings.functions ?? {}, (request) =>
    fetchInProcess(app, request),
  )
  const services = mountServices({ rest, auth, storage, realtime, functions })
  const app: FastifyInstance = createGateway({
    ...settings,
    services,
    clientAddress,
    isProxy: createProxyCheck(trustProxy),
    tokens,
    clock,
    origin: siteUrl,
  })
  app.server.on('upgrade', realtime.handleUpgrade)
  const openResponses = watchOpenResponses(app.server)
  async function drain({ noticeMs, acceptsMeanwhile, signal }: DrainOptions) {
    openResponses.endConnections()
    if (!acceptsMeanwhile) openResponses.stopAccepting()
    await Promise.all([realtime.drain(signal), pause(noticeMs, signal)])
    await openResponses.finish(signal)
  }
  async function close() {
    // Sockets first: the server does not close while one is open.
    await realtime.close()
    await app.close()
    rest.close()
    await Promise.all([auth.close(), storage.close()])
    await database.close()
  }
  try {
    await Promise.all([rest.ready(), realtime.ready])
  } catch (error) {
    await close()
    throw error
  }
  const fetch = (request: Request) => fetchInProcess(app, request)
  return { app, database, tokens, fetch, mail: auth.mail, drain, close }
}

const pause = (milliseconds: number, signal: AbortSignal) =>
  wait(milliseconds, undefined, { signal }).catch(() => undefined)

function authSettings({ siteUrl, productName, ...settings }: BackendSettings): AuthOptions {
  return {
    siteUrl,
    redirectAllowList: [`${siteUrl}/**`],
    productName,
    mailFrom: settings.mailFrom ?? `no-reply@${new URL(siteUrl).hostname}`,
    smtpUrl: settings.smtpUrl,
    ...(settings.mailTemplates ? { templates: readMailTemplates(settings.mailTemplates) } : {}),
    ...settings.auth,
  }
}
