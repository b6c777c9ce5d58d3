// What a server reports, against real things: a mail server that refuses, old backups on a disk, the database.
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createMailOutbox } from 'backend/auth/mail/mail-outbox.ts'
import { createSmtpTransport } from 'backend/auth/mail/mail-transport.ts'
import { aTeam, call, type Person, type Team } from 'supabase-project/tests/team.ts'
import { PROJECT } from '../project-files.ts'
import { watchDatabase } from './database-watch.ts'
import { diskFacts } from './disks.ts'
import { watchEventLoop } from './event-loop.ts'
import { mailProblem } from './mail-problem.ts'
import { watchMail } from './mail-watch.ts'
import { siteFacts } from './process-name.ts'
import { createReporter, startSystemReports, type ReportSettings } from './system-reports.ts'

const log = pino({ level: 'silent' })
let team: Team
let admin: Person
let folder: string
beforeAll(async () => {
  team = await aTeam()
  admin = await team.aMember({ isAdmin: true })
  folder = await mkdtemp(join(tmpdir(), 'system-'))
})
afterAll(async () => {
  await team?.close()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(() =>
  team.sql('truncate private.server_processes, private.system_checks, private.backups'),
)

type Finding = { part: string; state: string; code: string; detail: Record<string, unknown> }

async function finding(part: string): Promise<Finding | undefined> {
  const { data } = await call<Finding[]>(admin, 'system_status')
  return data?.find((each) => each.part === part)
}

async function reportOnce(settings: Partial<ReportSettings> = {}, isDemo = false) {
  const reporter = createReporter({
    backend: team.backend,
    settings: { DATA_DIR: folder, ...settings },
    isDemo,
    log,
  })
  await reporter.report()
  return reporter
}

test('one report has the version, the disk and the clock of a real process, and its end is seen at once', async () => {
  const reporter = await reportOnce()
  const { version } = JSON.parse(await readFile(join(PROJECT, 'package.json'), 'utf8')) as {
    version: string
  }
  expect(await finding('process')).toMatchObject({ state: 'fine', detail: { version } })
  expect((await finding('disk_data'))?.detail.free_bytes).toBeGreaterThan(0)
  expect(await finding('clock')).toMatchObject({ state: 'fine' })
  expect(await finding('database')).toMatchObject({ code: 'answers' })
  expect(await finding('mail')).toMatchObject({ state: 'attention', code: 'off' })
  expect(await finding('certificate')).toMatchObject({ state: 'fine', code: 'local' })
  await reporter.close()
  expect(await finding('process')).toBeUndefined()
})

test('errors that devices reported are in the log, without who it was', async () => {
  const error = { kind: 'TypeError', places: ['a.js:1:2'], screen: '/home', browser: 'Firefox 130' }
  await call(await team.aMember(), 'report_app_error', error)
  const lines: string[] = []
  const reporter = createReporter({
    ...{ backend: team.backend, settings: { DATA_DIR: folder }, isDemo: false },
    log: pino({ base: null, timestamp: false }, { write: (line: string) => void lines.push(line) }),
  })
  await reporter.report()
  await reporter.report()
  await reporter.close()
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
    { level: 40, ...error, reports: 1, msg: 'members’ devices report an error of the app' },
  ])
})

test('the server reports at its start and forgets itself at its end', async () => {
  const reports = startSystemReports({
    ...{ backend: team.backend, settings: { DATA_DIR: folder }, isDemo: true, log },
  })
  await expect.poll(() => finding('process')).toBeDefined()
  expect(await finding('mail')).toMatchObject({ state: 'fine', code: 'demo' })
  await reports.close()
  expect(await finding('process')).toBeUndefined()
})

test('a mail server that refuses everybody is named as the reason why mails wait', async () => {
  const refusing = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.write('220 refuses\r\n')
    socket.on('data', () => socket.write('454 anna@example.com is not welcome now\r\n'))
  })
  refusing.listen(0, '127.0.0.1')
  await once(refusing, 'listening')
  const SMTP_URL = `smtp://127.0.0.1:${(refusing.address() as AddressInfo).port}`
  const { database } = team.backend
  const outbox = createMailOutbox({
    database: database.asService('auth', 'a test of refused mail'),
    transport: createSmtpTransport(SMTP_URL, { name: 'Rally', address: 'rally@example.com' }),
    clock: { now: Date.now },
    log,
  })
  const asAuth = database.asService('auth', 'a test of refused mail')
  const mail = { to: 'anna@example.com', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' }
  const anHourAgo = new Date(Date.now() - 3600_000)
  await outbox.enqueue((statement) => asAuth.query(statement), mail, anHourAgo)
  await outbox.deliver()
  const reporter = await reportOnce({ SMTP_URL })
  const found = await finding('mail')
  expect(found).toMatchObject({
    ...{ state: 'wrong', code: 'late' },
    detail: { count: 1, problem: 'refused' },
  })
  expect(Date.parse(String(found?.detail.since))).toBe(anHourAgo.getTime())
  expect(JSON.stringify(found)).not.toContain('anna')
  await asAuth.query({ text: 'delete from auth_service.mail_outbox' })
  await reporter.close()
  await outbox.close()
  refusing.close()
})

test('a mail server that is not there is known before the first mail, and so is one that refuses the login', async () => {
  // The team's own server sends no mail.
  const says = (complaint: string | null) => ({
    ...team.backend,
    mail: { ...team.backend.mail, complaint: async () => complaint },
  })
  const settings = { DATA_DIR: folder, SMTP_URL: 'smtps://mail.example.com' }
  for (const [complaint, problem] of [
    ['connect ECONNREFUSED 127.0.0.1:465', 'unreachable'],
    ['Invalid login: 535 for anna@example.com', 'login'],
  ] as const) {
    const backend = says(complaint)
    const reports = startSystemReports({ backend, settings, isDemo: false, log })
    await expect
      .poll(() => finding('mail'))
      .toMatchObject({ state: 'wrong', code: 'unusable', detail: { problem } })
    await reports.close()
  }
  const reports = startSystemReports({ backend: says(null), settings, isDemo: false, log })
  await expect.poll(() => finding('mail')).toMatchObject({ state: 'fine', code: 'on' })
  await reports.close()
})

test('the real transport is asked: a port where nobody listens, one that hangs up, and one that takes mail', async () => {
  const from = { name: 'Rally', address: 'rally@example.com' }
  const greets = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.write('220 welcome\r\n')
    socket.on('data', (said) => {
      const isOver = said.toString().startsWith('QUIT')
      socket.write(isOver ? '221 bye\r\n' : '250 hello\r\n')
      if (isOver) socket.end()
    })
  })
  const hangsUp = createServer((socket) => socket.destroy())
  const urlOf = async (server: ReturnType<typeof createServer>) => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  const complaintOf = (url: string) =>
    createSmtpTransport(url, from)
      .check()
      .then(
        () => null,
        (error: Error) => mailProblem(error.message),
      )
  expect(await complaintOf('smtp://127.0.0.1:1')).toBe('unreachable')
  expect(await complaintOf(await urlOf(hangsUp))).toBe('unreachable')
  expect(await complaintOf(await urlOf(greets))).toBeNull()
  greets.close()
  hangsUp.close()
})

test('a mail server is tried again after an hour, one that cannot be reached after five minutes', async () => {
  let now = 0
  let said: string | null = 'connect ECONNREFUSED 127.0.0.1:25'
  let tries = 0
  const watched = watchMail(
    async () => (tries++, said),
    () => now,
  )
  const minutesLater = (minutes: number) => ((now += minutes * 60_000), watched.look())
  expect(await watched.look()).toBe(true)
  expect(watched.problem()).toBe('unreachable')
  expect(await minutesLater(4)).toBe(false)
  said = 'Invalid login: 535'
  expect(await minutesLater(1)).toBe(true)
  expect(watched.problem()).toBe('login')
  said = null
  await minutesLater(50)
  expect(tries).toBe(2)
  expect(await minutesLater(10)).toBe(true)
  expect(watched.problem()).toBeNull()
  await minutesLater(59)
  expect(tries).toBe(3)
})

test.each([
  ['Invalid login: 535 5.7.8 for anna@example.com', 'login'],
  ['self-signed certificate', 'certificate'],
  ["Hostname/IP does not match certificate's altnames", 'certificate'],
  ['STARTTLS not supported', 'encryption'],
  ['connect ECONNREFUSED 127.0.0.1:25', 'unreachable'],
  ['getaddrinfo ENOTFOUND mail.example.com', 'unreachable'],
  ['Greeting never received', 'unreachable'],
  ['Mail command failed: 451 try again', 'refused'],
])('of "%s" an admin reads %s', (complaint, problem) => {
  expect(mailProblem(complaint)).toBe(problem)
})

test('the folder of the backups is watched where it has a disk of its own or is gone, a bucket is not', async () => {
  const [data] = [(await diskFacts({ DATA_DIR: folder })).data]
  expect(data?.bytes).toBeGreaterThan(data?.free_bytes ?? Infinity)
  const shared = { data: expect.anything() as unknown, backup_shares_disk: true }
  expect(await diskFacts({ DATA_DIR: folder, BACKUP_TO: folder })).toEqual(shared)
  // The first backup makes it.
  expect(await diskFacts({ DATA_DIR: folder, BACKUP_TO: join(folder, 'new') })).toEqual(shared)
  expect(await diskFacts({ DATA_DIR: folder, BACKUP_TO: 's3://b/f' })).not.toHaveProperty('backup')
  const gone = { DATA_DIR: folder, BACKUP_TO: join(folder, 'gone', 'backups') }
  expect(await diskFacts(gone)).toMatchObject({ backup: null })
  const reporter = await reportOnce(gone)
  expect(await finding('disk_backup')).toMatchObject({ state: 'wrong', code: 'unreachable' })
  await reporter.close()
})

test('a backup of two days ago is old', async () => {
  const reporter = await reportOnce({ BACKUP_TO: folder })
  await team.sql(
    `insert into private.backups (due_at, attempt, state, finished_at, missing_files)
     values (now(), 1, 'verified', now() - interval '2 days', 0)`,
  )
  expect(await finding('backup')).toMatchObject({ state: 'wrong', code: 'old' })
  await reporter.close()
})

test('the address is looked at once for all processes, and only if it is one of https', async () => {
  const settings = { SITE_URL: 'https://localhost:1' }
  const one = await reportOnce(settings)
  expect(await finding('certificate')).toMatchObject({ code: 'unreachable' })
  await team.sql('update private.system_checks set result = result || \'{"problem": null}\'')
  const two = await reportOnce(settings)
  expect(await finding('certificate')).toMatchObject({ code: 'valid' })
  const three = await reportOnce({ SITE_URL: 'http://rally.example' })
  expect(await finding('certificate')).toMatchObject({ state: 'attention', code: 'http' })
  for (const each of [one, two, three]) await each.close()
  expect(siteFacts('http://127.0.0.1:8080')).toMatchObject({ is_local: true })
})

test('a database that could not be reached is reported with since when and until when', async () => {
  let now = Date.parse('2026-03-01T10:00:00Z')
  let isUp = true
  const { runAs } = team.backend.database
  const watched = watchDatabase(
    {
      runAs: (...args) => (isUp ? runAs(...args) : Promise.reject(new Error('it is away'))),
    },
    () => now,
  )
  expect(await watched.measure()).not.toHaveProperty('away_since')
  isUp = false
  await expect(watched.measure()).rejects.toThrow('it is away')
  now += 180_000
  isUp = true
  expect(await watched.measure()).toMatchObject({
    away_since: '2026-03-01T10:00:00.000Z',
    away_until: '2026-03-01T10:03:00.000Z',
  })
})

test('a process that was kept busy says how late it was, but not right after its start', () => {
  let now = 0
  const watched = watchEventLoop(() => now)
  expect(watched.delaySeconds()).toBeNull()
  now += 60_000
  expect(watched.delaySeconds()).toBeGreaterThanOrEqual(0)
  watched.close()
})

test('thresholds are those of the alerts and of docs/operations.md', async () => {
  const rows = await team.sql<{ name: string; attention: number; wrong: number }>(
    'select * from private.system_thresholds()',
  )
  const thresholds = Object.fromEntries(rows.map(({ name, ...each }) => [name, each]))
  const alerts = await readFile(join(PROJECT, 'deploy/prometheus/alerts.yml'), 'utf8')
  const alerted = (pattern: RegExp) => Number(pattern.exec(alerts)?.[1])
  expect(1 - (thresholds.disk?.wrong ?? 0)).toBeCloseTo(
    alerted(/rally_disk_free_bytes \/ rally_disk_bytes\) < ([\d.]+)/),
  )
  expect(thresholds.event_loop?.attention).toBe(
    alerted(/rally_event_loop_delay_seconds > ([\d.]+)/),
  )
  expect(thresholds.backup?.wrong).toBe(
    alerted(/rally_backup_timestamp_seconds\) > (\d+) \* 3600/) * 3600,
  )
  const page = await readFile(join(PROJECT, 'docs/operations.md'), 'utf8')
  const stated = [
    ...page.matchAll(
      /^\| `(\w+)` +\|[^|]*\| ([\d.]+)(?: (%|s|min|h|d))? +\| ([\d.]+)(?: (?:%|s|min|h|d))? +\|/gm,
    ),
  ].map(([, name = '', attention, unit = 'd', wrong]) => {
    const factor = { '%': 0.01, s: 1, min: 60, h: 3600, d: 1 }[unit] ?? NaN
    return [name, { attention: Number(attention) * factor, wrong: Number(wrong) * factor }]
  })
  expect(Object.fromEntries(stated)).toEqual(thresholds)
})
