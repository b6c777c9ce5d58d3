// The one process: Postgres, the protocol's services, the push worker and the built web app.
import type { Logger } from 'pino'
import { LIMITS } from 'backend/gateway/limits.ts'
import {
  loadMailboxSecret,
  startBackend,
  type Backend,
  type MailboxSecret,
  type MailboxSettings,
} from 'backend/gateway/start-backend.ts'
import { serviceCaller, type Caller } from 'backend/http/caller.ts'
import { loadInstallationKeys } from 'backend/http/installation-keys.ts'
import { systemClock } from 'backend/http/clock.ts'
import { createLog } from 'backend/http/create-log.ts'
import type { Database } from 'backend/postgres/database.ts'
import { startAccountMails } from './account-mails.ts'
import { startArchiveKeeping } from './archive-keeping.ts'
import { serveAppLinks } from './app-links.ts'
import { startNightlyBackups } from './backup/nightly/nightly-backups.ts'
import type { SchemaFolders } from './backup/restore/plan-load.ts'
import { edgeFunctions } from './edge-functions.ts'
import { serveMetrics } from './metrics/serve-metrics.ts'
import { noteBounce } from './note-bounce.ts'
import { startImageCleaning } from './image-cleaning.ts'
import { startLinkChecks } from './link-checks.ts'
import { prepareInstallation, type Installation } from './prepare-installation.ts'
import { PRODUCT_NAME, projectFiles } from './project-files.ts'
import { NOTICE_MS, respondWhileStarting, serveReadiness } from './readiness.ts'
import { startReminderMails } from './reminder-mails.ts'
import { s3Settings } from './s3-settings.ts'
import type { Settings } from './settings.ts'
import { startPush } from './start-push.ts'
import { startSystemReports } from './system/system-reports.ts'
import { serveWebApp } from './web-app.ts'
import type { GatherMetrics } from './workers/gather-metrics.ts'

export type ServerOptions = {
  /** Loads the demo team into an empty database. */
  demo?: boolean
  /** The web app is served by a development server. */
  withoutWebApp?: boolean
  /** The platform and the migrations of another version, in tests. */
  schema?: SchemaFolders
  /** One of several workers: everything was prepared, and the port belongs to all of them. */
  prepared?: Installation
  /** Figures of all workers. */
  gather?: GatherMetrics
  log?: Logger
}

export type RunningServer = {
  url: string
  /** One sentence on which push channels work. */
  push: string
  /** One-time secret for the mailbox; null unless this start created it. */
  mailboxSecret: string | null
  /** With it the first person becomes admin; null once there is one. */
  setUpCode: string | null
  /**
   * Before `close`: `/ready` responds with 503, sockets are handed over and what was begun is finished, for
   * DRAIN_SECONDS at most.
   * @param signal ends it early
   * `isReplaced`: another worker behind the same port has taken over, so `/ready` stays as it is.
   */
  drain(signal: AbortSignal, options?: { isReplaced: boolean }): Promise<void>
  close(): Promise<void>
}

/** @throws SettingsError for what the operator can fix; the message says how */
export async function startServer(
  settings: Settings,
  options: ServerOptions = {},
): Promise<RunningServer> {
  const log = options.log ?? createLog(settings.LOG_LEVEL)
  const closers: (() => Promise<unknown>)[] = []
  const close = async () => {
    while (closers.length) await closers.pop()?.()
  }
  const freePort = options.prepared ? null : await respondWhileStarting(settings)
  if (freePort) closers.push(freePort)
  try {
    const { databaseUrl, setUpCode } =
      options.prepared ?? (await prepareInstallation(settings, { ...options, log, closers }))
    const keys = await loadInstallationKeys(settings.DATA_DIR)
    const siteUrl = settings.SITE_URL ?? `http://localhost:${settings.PORT}`
    const secret =
      options.demo || settings.SMTP_URL ? null : await loadMailboxSecret(settings.DATA_DIR)
    const stopping = new AbortController()
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
        // The app's links carry the session: one that a stranger asks for is as good as the owner's.
        allowsPkce: false,
        linkPages: {
          signup: '/email-verify',
          invite: '/create-account',
          recovery: '/new-password',
          email_change: '/profile',
          magiclink: '/',
        },
        requireCurrentPassword: true,
        requireRecentProof: true,
        isMember: (userId) => isOnTeam(userId, backend.database),
        rateLimitFactor: settings.RATE_LIMIT_FACTOR,
        onMailGivenUp: (mail) => noteBounce(mail, backend.database),
        mailbox: mailboxSettings(secret, settings, (caller) => isAdmin(caller, backend.database)),
      },
      s3: s3Settings(settings),
      functions: edgeFunctions(siteUrl, keys, stopping.signal),
      trustProxy: settings.TRUST_PROXY,
      log,
    })
    closers.push(() => backend.close())
    closers.push(async () => stopping.abort())
    const push = await startPush(settings, { siteUrl, database: backend.database, log })
    closers.push(() => push.close())
    const backups = startNightlyBackups({
      settings,
      database: backend.database,
      clock: systemClock,
      log,
    })
    closers.push(() => backups.close())
    const reminders = startReminderMails({ backend, siteUrl, log })
    closers.push(() => reminders.close())
    const accountMails = startAccountMails({ backend, siteUrl, log })
    closers.push(() => accountMails.close())
    const isDemo = options.demo ?? false
    const reports = startSystemReports({ backend, settings, isDemo, log })
    closers.push(() => reports.close())
    // The demo team's links are made up.
    if (!options.demo) {
      const links = await startLinkChecks({ database: backend.database, siteUrl, log })
      closers.push(() => links.close())
    }
    backend.app.get('/config.json', (_request, reply) =>
      reply.header('cache-control', 'no-cache').send({
        // Whatever address the page was opened at; only links in mails need the site's.
        supabaseUrl: '/',
        siteUrl,
        supabaseKey: keys.publishableKey,
        takesBatches: true,
        ...(secret ? { hasMailbox: true } : {}),
      }),
    )
    const readiness = serveReadiness(backend)
    const metrics = serveMetrics(backend, settings, options.gather)
    closers.push(async () => metrics.close())
    serveAppLinks(backend.app, settings)
    if (!options.withoutWebApp) await serveWebApp(backend.app, projectFiles.webApp)
    await freePort?.()
    await backend.app.listen({
      port: settings.PORT,
      host: settings.HOST,
      backlog: LIMITS.waitingConnections,
    })
    const asServer = {
      projectUrl: siteUrl,
      secretKey: keys.secretKey,
      fetch: (input: string | URL | Request, init?: RequestInit) =>
        backend.fetch(new Request(input, init)),
      log,
    }
    const cleaning = startImageCleaning(asServer)
    closers.push(() => cleaning.close())
    const archive = startArchiveKeeping({ ...asServer, dataDir: settings.DATA_DIR })
    closers.push(() => archive.close())
    return {
      url: siteUrl,
      push: push.summary,
      mailboxSecret: secret?.fresh ?? null,
      setUpCode,
      async drain(signal, { isReplaced } = { isReplaced: false }) {
        const limit = AbortSignal.timeout(settings.DRAIN_SECONDS * 1000)
        const noticeMs = isReplaced ? NOTICE_MS : readiness.startDraining()
        const all = AbortSignal.any([signal, limit])
        await backend.drain({ noticeMs, acceptsMeanwhile: !isReplaced, signal: all })
      },
      close,
    }
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

async function isOnTeam(userId: string, database: Database): Promise<boolean> {
  const { rowCount } = await database.runAs(serviceCaller, {
    text: 'select from public.users where id = $1 and is_active',
    values: [userId],
  })
  return Boolean(rowCount)
}

/** Queried with the member's own rights, so it can never grant more than the policies. */
async function isAdmin(caller: Caller, database: Database): Promise<boolean> {
  const { rowCount } = await database.runAs(caller, {
    text: 'select where public.acts_as_admin()',
  })
  return Boolean(rowCount)
}
