// The one process: Postgres, the protocol's services, the push worker and the built web app.
import { constants } from 'node:fs'
import { access, chmod, mkdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { Logger } from 'pino'
import {
  loadMailboxSecret,
  startBackend,
  type Backend,
  type MailboxSecret,
  type MailboxSettings,
  type S3Settings,
} from 'backend/gateway/start-backend.ts'
import type { Caller } from 'backend/http/caller.ts'
import { loadInstallationKeys, type InstallationKeys } from 'backend/http/installation-keys.ts'
import { createLog } from 'backend/http/create-log.ts'
import type { Database } from 'backend/postgres/database.ts'
import { startEmbeddedCluster } from 'backend/postgres/embedded-cluster.ts'
import { applyMigrations, checkHistory } from 'backend/postgres/migrations.ts'
import { preparePlatform } from 'backend/postgres/platform.ts'
import { serveAppLinks } from './app-links.ts'
import { loadDemoTeam } from './demo-team.ts'
import { edgeFunctions } from './edge-functions.ts'
import { startImageCleaning } from './image-cleaning.ts'
import { PRODUCT_NAME, projectFiles } from './project-files.ts'
import { startReminderMails } from './reminder-mails.ts'
import { SettingsError, type Settings } from './settings.ts'
import { startPush } from './start-push.ts'
import { serveWebApp } from './web-app.ts'

export type ServerOptions = {
  /** Loads the demo team into an empty database. */
  demo?: boolean
  /** The web app is served by a development server. */
  withoutWebApp?: boolean
  log?: Logger
}

export type RunningServer = {
  url: string
  /** One sentence on which push channels work. */
  push: string
  /** One-time secret for the mailbox; null unless this start created it. */
  mailboxSecret: string | null
  close(): Promise<void>
}

/** @throws SettingsError for what the operator can fix; the message says how */
export async function startServer(
  settings: Settings,
  options: ServerOptions = {},
): Promise<RunningServer> {
  const log = options.log ?? createLog(settings.LOG_LEVEL)
  await refuseTakenPort(settings)
  await refuseUnwritableFolder(settings.DATA_DIR)
  const keys = await loadInstallationKeys(settings.DATA_DIR)
  const closers: (() => Promise<unknown>)[] = []
  const close = async () => {
    while (closers.length) await closers.pop()?.()
  }
  try {
    const databaseUrl = await prepareDatabase(settings, keys, log, closers)
    if (options.demo) await loadDemoTeam(databaseUrl, projectFiles.demoTeam)
    const siteUrl = settings.SITE_URL ?? `http://localhost:${settings.PORT}`
    const secret =
      options.demo || settings.SMTP_URL ? null : await loadMailboxSecret(settings.DATA_DIR)
    const backend: Backend = await startBackend({
      databaseUrl,
      keys,
      siteUrl,
      dataDir: settings.DATA_DIR,
      productName: PRODUCT_NAME,
      smtpUrl: settings.SMTP_URL,
      mailFrom: settings.MAIL_FROM,
      mailTemplates: settings.MAIL_TEMPLATES,
      auth: {
        rateLimitFactor: settings.RATE_LIMIT_FACTOR,
        mailbox: mailboxSettings(secret, settings, (caller) => isAdmin(caller, backend.database)),
      },
      s3: s3Settings(settings),
      functions: edgeFunctions(siteUrl, keys),
      trustProxy: settings.TRUST_PROXY,
      log,
    })
    closers.push(() => backend.close())
    const push = await startPush(settings, { siteUrl, database: backend.database, log })
    closers.push(() => push.close())
    const reminders = startReminderMails({ backend, siteUrl, log })
    closers.push(() => reminders.close())
    backend.app.get('/config.json', (_request, reply) =>
      reply.header('cache-control', 'no-cache').send({
        // Whatever address the page was opened at; only links in mails need the site's.
        supabaseUrl: '/',
        siteUrl,
        supabaseKey: keys.publishableKey,
        ...(secret ? { hasMailbox: true } : {}),
      }),
    )
    backend.app.get('/health', async (_request, reply) => {
      await backend.database.asService('auth', 'the health check').query({ text: 'select 1' })
      return reply.header('cache-control', 'no-store').send({ status: 'ok' })
    })
    serveAppLinks(backend.app, settings)
    if (!options.withoutWebApp) await serveWebApp(backend.app, projectFiles.webApp)
    await backend.app.listen({ port: settings.PORT, host: settings.HOST })
    const cleaning = startImageCleaning({
      projectUrl: siteUrl,
      secretKey: keys.secretKey,
      fetch: (input, init) => backend.fetch(new Request(input, init)),
      log,
    })
    closers.push(() => cleaning.close())
    return { url: siteUrl, push: push.summary, mailboxSecret: secret?.fresh ?? null, close }
  } catch (error) {
    await close()
    throw error
  }
}

// Demo mails are open to everybody on this machine; a real team's mails give access to accounts.
function mailboxSettings(
  secret: MailboxSecret | null,
  { PORT }: Settings,
  mayRead: (caller: Caller) => Promise<boolean>,
): MailboxSettings {
  return secret
    ? { opensTo: 'secret', secret, mayRead }
    : { opensTo: 'this-machine', ports: [PORT] }
}

/** Queried with the member's own rights, so it can never grant more than the policies. */
async function isAdmin(caller: Caller, database: Database): Promise<boolean> {
  const { rowCount } = await database.runAs(caller, {
    text: 'select where public.acts_as_admin()',
  })
  return Boolean(rowCount)
}

async function prepareDatabase(
  settings: Settings,
  keys: InstallationKeys,
  log: Logger,
  closers: (() => Promise<unknown>)[],
): Promise<string> {
  let url = settings.DATABASE_URL
  if (!url) {
    const cluster = await startEmbeddedCluster({
      dataDir: settings.DATA_DIR,
      password: keys.databasePassword,
      onEvent: (message, error) => log.warn({ err: error }, message),
    })
    closers.push(() => cluster.stop())
    url = cluster.socketUrl
  }
  await checkHistory(url, projectFiles.migrations)
  await preparePlatform({
    url,
    folder: projectFiles.platform,
    password: keys.databasePassword,
    keepPostgresPassword: Boolean(settings.DATABASE_URL),
  })
  await applyMigrations(url, projectFiles.migrations)
  return url
}

/** @throws SettingsError when the S3 settings are incomplete */
function s3Settings(settings: Settings): S3Settings | undefined {
  const {
    S3_ENDPOINT: endpoint,
    S3_REGION: region,
    S3_BUCKET: bucket,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  } = settings
  if (!endpoint && !bucket) return undefined
  if (!endpoint || !bucket || !accessKeyId || !secretAccessKey) {
    throw new SettingsError(
      'An S3 store needs S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.',
    )
  }
  return { endpoint, region, bucket, accessKeyId, secretAccessKey }
}

// Checked before Postgres starts, to fail fast.
async function refuseTakenPort({ PORT, HOST }: Settings): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE'
      reject(
        new SettingsError(
          taken
            ? `Port ${PORT} is taken: stop the program that uses it, or set PORT to another number.`
            : `Cannot listen on ${HOST}:${PORT} (${error.code}).`,
          { cause: error },
        ),
      )
    })
    probe.listen(PORT, HOST, () => probe.close(() => resolve()))
  })
}

/** Private to the owner. When this process is root, Postgres runs as another user, which may only traverse the folder. */
const FOLDER_MODE = process.getuid?.() === 0 ? 0o711 : 0o700

async function refuseUnwritableFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await access(folder, constants.W_OK)
    await mkdir(join(folder, 'storage'), { recursive: true, mode: 0o700 })
    // A folder owned by another user keeps its mode.
    await chmod(join(folder, 'storage'), 0o700).catch(() => undefined)
    await chmod(folder, FOLDER_MODE).catch(() => undefined)
  } catch (cause) {
    throw new SettingsError(`Cannot write to ${folder}: set DATA_DIR to a folder of your own.`, {
      cause,
    })
  }
}
