// Puts the services together over one database and one port.
import { existsSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { createAccessTokens, type AccessTokens } from '#http/access-tokens.ts'
import { systemClock, type Clock } from '#http/clock.ts'
import type { InstallationKeys } from '#http/installation-keys.ts'
import { openDatabase, type Database } from '#postgres/database.ts'
import type { Mail } from '#auth/mailbox.ts'
import type { AuthOptions } from '#auth/settings.ts'
import { createGateway } from './create-gateway.ts'
import type { MountedService } from './services.ts'

export type BackendSettings = {
  /** Host, port and name of a database that `preparePlatform` has been run on. */
  databaseUrl: string
  keys: InstallationKeys
  /** Public address without a trailing slash; mails link to it. */
  siteUrl: string
  /** Uploaded files go below it. */
  dataDir: string
  /** Shown in mails. */
  productName: string
  smtpUrl?: string
  trustProxy?: boolean
  /** Further settings of the accounts service, e.g. rate limits and mail templates. */
  auth?: Partial<AuthOptions>
  clock?: Clock
  log: Logger
}

export type Backend = {
  app: FastifyInstance
  database: Database
  tokens: AccessTokens
  /** What the built-in mailbox holds, newest first; empty when mails go to a mail server. */
  mail: { messages(): Mail[] }
  close(): Promise<void>
}

const MEBIBYTE = 1024 * 1024

/** Assembles the backend without opening a port: the caller lets `app` listen, or injects requests. */
export async function startBackend(settings: BackendSettings): Promise<Backend> {
  const { keys, log, clock = systemClock, siteUrl: origin } = settings
  const tokens = await createAccessTokens(keys.signingKey, clock)
  const database = openDatabase({
    url: settings.databaseUrl,
    password: keys.databasePassword,
    onError: (error) => log.error({ err: error }, 'database connection failed'),
  })
  const services: MountedService[] = []
  const closers: (() => unknown)[] = []
  let upgrade: unknown
  let mail: Backend['mail'] = { messages: () => [] }
  let closeSockets = () => Promise.resolve()
  const load = async (name: string) => {
    const path = new URL(`../${name}/routes.ts`, import.meta.url)
    try {
      return existsSync(path)
        ? ((await import(/* @vite-ignore */ path.href)) as Record<string, any>)
        : null
    } catch (error) {
      console.error(`${name} does not load`, error instanceof Error ? error.message.slice(0, 300) : error)
      return null
    }
  }
  const rest = await load('rest')
  if (rest) {
    const service = rest.createRestService({ database, schemas: ['public'], log })
    services.push({
      kind: 'rest',
      prefix: '/rest/v1',
      handle: service.handle,
      bodyLimit: 4 * MEBIBYTE,
    })
    await service.ready?.()
    closers.push(() => service.close?.())
  }
  const auth = await load('auth')
  if (auth) {
    const service = await auth.createAuthService({
      database,
      tokens,
      clock,
      log,
      settings: {
        siteUrl: origin,
        redirectAllowList: [`${origin}/**`],
        smtpUrl: settings.smtpUrl,
        mailFrom: 'no-reply@localhost',
        productName: settings.productName,
        minPasswordLength: 6,
        ...settings.auth,
      },
    })
    mail = service.mail
    services.push({
      kind: 'auth',
      prefix: '/auth/v1',
      handle: service.handle,
      bodyLimit: MEBIBYTE / 4,
      isOpen: (path) => /^\/auth\/v1\/(verify|callback|\.well-known\/.*)$/.test(path),
    })
    if (service.mailbox)
      services.push({
        kind: 'auth',
        prefix: '/_mail',
        handle: service.mailbox,
        bodyLimit: 0,
        isOpen: () => true,
      })
    closers.push(() => service.close?.())
  }
  const storage = await load('storage')
  if (storage) {
    const service = await storage.createStorageService({
      database,
      tokens,
      clock,
      log,
      settings: { directory: `${settings.dataDir}/storage`, fileSizeLimit: 50 * MEBIBYTE },
    })
    services.push({
      kind: 'storage',
      prefix: '/storage/v1',
      handle: service.handle,
      bodyLimit: 0,
      streams: true,
      isOpen: (path) => /^\/storage\/v1\/object\/(public|sign|upload\/sign)\//.test(path),
    })
    closers.push(() => service.close?.())
  }
  const realtime = await load('realtime')
  if (realtime) {
    const service = await realtime.createRealtimeService({
      database,
      tokens,
      clock,
      log,
      publishableKey: keys.publishableKey,
      secretKey: keys.secretKey,
    })
    services.push({
      kind: 'realtime',
      prefix: '/realtime/v1',
      handle: service.handle,
      bodyLimit: MEBIBYTE,
    })
    upgrade = service.handleUpgrade
    closeSockets = () => service.close()
  }
  const app = createGateway({ ...settings, services, tokens, clock, origin })
  if (upgrade) app.server.on('upgrade', upgrade as (...args: unknown[]) => void)
  // The port stays open until the last socket is closed, so sockets go first.
  app.addHook('preClose', () => closeSockets())
  return {
    app,
    database,
    tokens,
    mail,
    async close() {
      await app.close()
      for (const close of closers) await close()
      await database.close()
    },
  }
}
