// Reports to the database every minute what only this process knows, so that admins see it: how it runs, its disks, whether mail can be sent.
// The database judges it (supabase/schemas/system_findings.sql).
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Backend } from 'backend/gateway/start-backend.ts'
import { serviceCaller } from 'backend/http/caller.ts'
import type { Settings } from '../settings.ts'
import { checkCertificate } from './certificate.ts'
import { watchDatabase } from './database-watch.ts'
import { diskFacts } from './disks.ts'
import { watchEventLoop } from './event-loop.ts'
import { mailProblem } from './mail-problem.ts'
import { watchMail } from './mail-watch.ts'
import { PRODUCT_VERSION } from '../project-files.ts'
import { newestMigration, placeFacts, processName, siteFacts } from './process-name.ts'

const EVERY_MS = 60_000

export type ReportSettings = Pick<Settings, 'DATA_DIR' | 'BACKUP_TO' | 'SITE_URL' | 'SMTP_URL'> &
  Partial<Pick<Settings, 'PORT' | 'WORKERS'>>

type Dependencies = {
  backend: Pick<Backend, 'database' | 'mail'>
  settings: ReportSettings
  isDemo: boolean
  log: Logger
  everyMs?: number
}

/** Runs at once and then every minute until closed; then this process is forgotten. */
export function startSystemReports(dependencies: Dependencies) {
  const { log, everyMs = EVERY_MS } = dependencies
  const reporter = createReporter(dependencies)
  let running: Promise<void> | null = null
  let isClosed = false

  function report() {
    running ??= reporter
      .report()
      .catch((error: unknown) =>
        log.error({ err: error }, 'reporting the state of the system failed'),
      )
      .finally(() => (running = null))
    return running
  }
  async function run() {
    void report()
    // What it found should not wait for the next minute.
    if (!(await reporter.lookAtMail())) return
    await running
    if (!isClosed) await report()
  }
  void run()
  const timer = setInterval(() => void run(), everyMs)
  timer.unref()
  return {
    async close() {
      clearInterval(timer)
      isClosed = true
      await running
      await reporter.close()
    },
  }
}

/** Reports once whenever it is asked to. */
export function createReporter({ backend, settings, isDemo, log }: Dependencies) {
  const { database, mail } = backend
  const id = randomUUID()
  const startedAt = new Date(Date.now() - process.uptime() * 1000).toISOString()
  const eventLoop = watchEventLoop()
  const watched = watchDatabase(database)
  const site = siteFacts(settings.SITE_URL)
  const isOn = Boolean(settings.SMTP_URL)
  const mailServer = watchMail(() => mail.complaint())

  const call = (name: string, parameters: string, values: unknown[]) =>
    database.runAs(serviceCaller, {
      name,
      text: `select public.${name}(${parameters}) as answer`,
      values,
    })

  async function report() {
    const [measured, { late, givenUp, oldestAt, lastError }, disks] = await Promise.all([
      watched.measure(),
      mail.waiting(),
      diskFacts(settings),
    ])
    const facts = {
      ...processName(),
      ...placeFacts(settings),
      version: PRODUCT_VERSION,
      schema: newestMigration(),
      is_demo: isDemo,
      event_loop_seconds: eventLoop.delaySeconds(),
      database: measured,
      disks,
      mail: {
        is_on: isOn,
        late,
        given_up: givenUp,
        oldest_at: oldestAt,
        problem: lastError && mailProblem(lastError),
        connection_problem: mailServer.problem(),
      },
      backup: { is_on: Boolean(settings.BACKUP_TO) },
      site,
    }
    const parts = [{ part: 'mail', is_on: isOn, problems: late + givenUp }]
    await call('report_system_state', '$1', [JSON.stringify(parts)])
    const { rows } = await call('report_process', '$1, $2, $3', [
      id,
      startedAt,
      JSON.stringify(facts),
    ])
    await logAppErrors()
    const { answer } = rows[0] as { answer: { certificate_is_due: boolean } }
    if (!answer.certificate_is_due || !settings.SITE_URL) return
    const result = { host: site.host, ...(await checkCertificate(settings.SITE_URL)) }
    await call('report_system_check', '$1, $2', ['certificate', JSON.stringify(result)])
  }

  async function logAppErrors() {
    const { rows } = await database.runAs(serviceCaller, {
      name: 'take_app_errors',
      text: 'select * from public.take_app_errors()',
    })
    for (const error of rows as object[])
      log.warn(error, 'members’ devices report an error of the app')
  }

  return {
    report,
    /** @returns whether there is something new to report */
    lookAtMail: async () => isOn && (await mailServer.look()),
    async close() {
      eventLoop.close()
      // A database that is gone forgets by itself.
      await call('forget_process', '$1', [id]).catch(() => undefined)
    },
  }
}
