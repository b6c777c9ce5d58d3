// Puts the services together over one database.
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { createAuthService, type AuthService } from '#auth/routes.ts'
import { readMailTemplates } from '#auth/read-mail-templates.ts'
import type { AuthOptions } from '#auth/settings.ts'
import { createAccessTokens, type AccessTokens } from '#http/access-tokens.ts'
import { systemClock, type Clock } from '#http/clock.ts'
import type { InstallationKeys } from '#http/installation-keys.ts'
import { openDatabase, type Database } from '#postgres/database.ts'
import { createRealtimeService } from '#realtime/routes.ts'
import { createRestService, type RestSettings } from '#rest/routes.ts'
import type { S3Settings } from '#storage/s3-store.ts'
import { createStorageService } from '#storage/routes.ts'
import { createGateway } from './create-gateway.ts'
import { fetchInProcess, handleFunctions, type EdgeFunctions } from './edge-functions.ts'
import { mountServices } from './mount-services.ts'

export type { EdgeFunctions, S3Settings }

const FILE_SIZE_LIMIT = 50 * 1024 * 1024

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
  mailFrom?: string
  /** Without it, mail is kept for the built-in mailbox. */
  smtpUrl?: string
  /** A folder of mails in other words, see docs/operations. */
  mailTemplates?: string
  /** Further settings of the accounts service. */
  auth?: Partial<AuthOptions>
  /** Further settings of the data API. */
  rest?: Partial<RestSettings>
  /** Keeps uploaded files in an S3-compatible store instead of `dataDir`. */
  s3?: S3Settings
  /** What answers at /functions/v1/{name}. */
  functions?: EdgeFunctions
  trustProxy?: boolean
  clock?: Clock
  log: Logger
}

export type Backend = {
  app: FastifyInstance
  database: Database
  tokens: AccessTokens
  /** What the built-in mailbox holds. */
  mail: AuthService['mail']
  close(): Promise<void>
}

/** Assembles the backend without opening a port: the caller lets `app` listen, or injects requests. */
export async function startBackend(settings: BackendSettings): Promise<Backend> {
  const { keys, log, clock = systemClock, siteUrl } = settings
  const tokens = await createAccessTokens(keys.signingKey, clock)
  const database = openDatabase({
    url: settings.databaseUrl,
    password: keys.databasePassword,
    onError: (error) => log.error({ err: error }, 'database connection failed'),
  })
  const parts = { database, tokens, clock, log }
  const rest = createRestService({ database, schemas: ['public'], log, ...settings.rest })
  const auth = createAuthService({ ...parts, settings: authSettings(settings) })
  const storage = createStorageService({
    ...parts,
    settings: {
      directory: join(settings.dataDir, 'storage'),
      fileSizeLimit: FILE_SIZE_LIMIT,
      s3: settings.s3,
    },
  })
  const { publishableKey, secretKey } = keys
  const realtime = createRealtimeService({ ...parts, publishableKey, secretKey })
  const functions = handleFunctions(settings.functions ?? {}, (request) =>
    fetchInProcess(app, request),
  )
  const services = mountServices({ rest, auth, storage, realtime, functions })
  const app: FastifyInstance = createGateway({
    ...settings,
    services,
    tokens,
    clock,
    origin: siteUrl,
  })
  app.server.on('upgrade', realtime.handleUpgrade)
  async function close() {
    // Sockets first: a server does not close while one is open.
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
  return { app, database, tokens, mail: auth.mail, close }
}

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
