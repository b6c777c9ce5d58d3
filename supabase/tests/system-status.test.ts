// What admins read about the system, judged from what server processes reported and from what the database knows.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sealAll } from './archive-records.ts'
import { workerStep } from './review-scene.ts'
import { aTeam, call, type Person, type Team } from './team.ts'

let team: Team
let admin: Person
let server: Person
beforeAll(async () => {
  team = await aTeam()
  admin = await team.aMember({ isAdmin: true })
  server = team.service()
})
afterAll(() => team?.close())
beforeEach(async () => {
  await team.sql(
    'truncate private.server_processes, private.system_checks, private.system_state, private.backups, private.push_outbox cascade',
  )
  await team.sql('delete from public.push_devices')
  await team.sql('update public.push_channels set is_on = true')
})

type Finding = {
  part: string
  scope: string | null
  state: string
  code: string
  detail: Record<string, unknown>
}

const GIB = 1024 ** 3
const FACTS = {
  ...{ host: 'one', pid: 1, version: '1.0.0', schema: '20260101000000', is_demo: false },
  event_loop_seconds: 0.01,
  database: { seconds: 0.002, clock_ahead_seconds: 0.1 },
  disks: { data: { free_bytes: 60 * GIB, bytes: 100 * GIB } },
  mail: { is_on: true, late: 0, given_up: 0, oldest_at: null, problem: null },
  backup: { is_on: true },
  site: { host: 'rally.example', is_https: true, is_local: false },
}

async function report(facts: object = {}, id: string = randomUUID()) {
  const { data, error } = await call<{ certificate_is_due: boolean }>(server, 'report_process', {
    process_id: id,
    started_at: new Date().toISOString(),
    facts: { ...FACTS, ...facts },
  })
  if (error) throw error
  return data
}

async function findings(): Promise<Finding[]> {
  const { data, error } = await call<Finding[]>(admin, 'system_status')
  if (error) throw error
  return data ?? []
}

async function finding(part: string, scope?: string): Promise<Finding | undefined> {
  return (await findings()).find((each) => each.part === part && (!scope || each.scope === scope))
}

const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString()
const HOUR = 3600
const mail = (facts: object) => ({ mail: { ...FACTS.mail, ...facts } })
const disk = (percentUsed: number) => ({
  data: { free_bytes: (100 - percentUsed) * GIB, bytes: 100 * GIB },
})

test('where no server of ours runs, the page says what is not watched, and shows what the database knows', async () => {
  const all = await findings()
  const states = Object.fromEntries(all.map(({ part, state }) => [part, state]))
  expect(states).toEqual({
    ...{ app: 'fine' },
    ...{ mail: 'unwatched', backup: 'unwatched', certificate: 'unwatched', links: 'unwatched' },
    ...{ push_web: 'fine', push_fcm: 'fine', push_apns: 'fine', push_queue: 'fine' },
    ...{ archive: 'fine', database: 'fine' },
  })
  const { detail } = (await finding('database')) ?? {}
  expect(detail?.bytes).toBeGreaterThan(1_000_000)
})

test('a server with everything in order has nothing that needs anybody', async () => {
  await report()
  await team.sql(
    "insert into private.backups (due_at, attempt, state, finished_at) values (now(), 1, 'verified', now())",
  )
  const all = await findings()
  expect(all.filter(({ state }) => state !== 'fine').map(({ part }) => part)).toEqual(['links'])
  expect(all.map(({ part }) => part)).toEqual(expect.arrayContaining(['disk_data', 'process']))
})

test.each([
  ['mail that is set up', mail({}), 'mail', 'fine', 'on'],
  ['no mail server', mail({ is_on: false }), 'mail', 'attention', 'off'],
  ['none in the demo', { ...mail({ is_on: false }), is_demo: true }, 'mail', 'fine', 'demo'],
  ['mails that wait', mail({ late: 2, problem: 'unreachable' }), 'mail', 'wrong', 'late'],
  [
    'a mail server that refuses the login',
    mail({ connection_problem: 'login' }),
    ...(['mail', 'wrong', 'unusable'] as const),
  ],
  ['a refused mail', mail({ given_up: 1 }), 'mail', 'attention', 'given_up'],
  ['a disk that is 80 % full', { disks: disk(80) }, 'disk_data', 'fine', 'free'],
  ['a disk that is 85 % full', { disks: disk(85) }, 'disk_data', 'attention', 'full'],
  ['a disk that is 91 % full', { disks: disk(91) }, 'disk_data', 'wrong', 'full'],
  [
    'a folder for backups that is read only',
    { disks: { backup: { free_bytes: 9e9, bytes: 1e10, is_writable: false } } },
    ...(['disk_backup', 'wrong', 'read_only'] as const),
  ],
  ['no folder for backups', { disks: { backup: null } }, 'disk_backup', 'wrong', 'unreachable'],
  ['a busy process', { event_loop_seconds: 0.3 }, 'process', 'attention', 'busy'],
  ['one that hardly runs', { event_loop_seconds: 1.5 }, 'process', 'wrong', 'busy'],
  ['one that has just started', { event_loop_seconds: null }, 'process', 'fine', 'runs'],
  ['a slow database', { database: { seconds: 0.7 } }, 'database', 'attention', 'slow'],
  ['a stuck database', { database: { seconds: 3 } }, 'database', 'wrong', 'slow'],
  ['a clock that is late', { database: { clock_ahead_seconds: -8 } }, 'clock', 'attention', 'off'],
  ['one from yesterday', { database: { clock_ahead_seconds: -9e4 } }, 'clock', 'wrong', 'off'],
  ['no nightly backups', { backup: { is_on: false } }, 'backup', 'attention', 'off'],
  ['no backup yet', {}, 'backup', 'attention', 'none'],
])('%s is judged', async (_name, facts, part, state, code) => {
  await report(facts)
  expect(await finding(part)).toMatchObject({ state, code })
})

test('a database that was away says so for an hour', async () => {
  const away = (seconds: number) => ({
    database: { ...FACTS.database, away_since: ago(seconds + 120), away_until: ago(seconds) },
  })
  const id = randomUUID()
  await report(away(600), id)
  expect(await finding('database')).toMatchObject({ state: 'attention', code: 'away' })
  await report(away(2 * HOUR), id)
  expect(await finding('database')).toMatchObject({ state: 'fine', code: 'answers' })
})

test.each([
  [25 * HOUR, 'fine', 'good'],
  [27 * HOUR, 'attention', 'old'],
  [37 * HOUR, 'wrong', 'old'],
])('a backup that is %i seconds old is judged %s', async (age, state, code) => {
  await report()
  await team.sql(
    `insert into private.backups (due_at, attempt, state, finished_at, missing_files) values (now(), 1, 'verified', $1, 0)`,
    [ago(age)],
  )
  expect(await finding('backup')).toMatchObject({ state, code })
})

test('a backup that failed says why, without paths, addresses and keys', async () => {
  await report()
  const failure =
    'Cannot write /mnt/backups/rally-1.tar to s3://key:secret@bucket/folder: C:\\backups is full.'
  await team.sql(
    "insert into private.backups (due_at, attempt, state, finished_at, failure) values (now(), 1, 'failed', now(), $1)",
    [failure],
  )
  const found = await finding('backup')
  expect(found).toMatchObject({ state: 'wrong', code: 'failed' })
  expect(found?.detail.said).toBe('Cannot write … to … … is full.')
})

test('a backup by a job of the owner counts while it is recent', async () => {
  await report({ backup: { is_on: false } })
  await call(server, 'report_system_check', { part: 'backup', result: {} })
  expect(await finding('backup')).toMatchObject({ state: 'fine', code: 'own' })
  await team.sql("update private.system_checks set checked_at = now() - interval '30 hours'")
  expect(await finding('backup')).toMatchObject({ state: 'attention', code: 'own' })
})

test('after nightly backups were switched off, the latest one of any kind is named', async () => {
  const [{ at } = { at: new Date() }] = await team.sql<{ at: Date }>(
    "insert into private.backups (due_at, attempt, state, finished_at) values (now(), 1, 'verified', now() - interval '3 hours') returning finished_at as at",
  )
  await report({ backup: { is_on: false } })
  const found = await finding('backup')
  expect(found).toMatchObject({ state: 'fine', code: 'own' })
  expect(Date.parse(String(found?.detail.at))).toBe(at.getTime())
  await call(server, 'report_system_check', { part: 'backup', result: {} })
  const later = await finding('backup')
  expect(Date.parse(String(later?.detail.at))).toBeGreaterThan(at.getTime())
})

test('a good backup on the disk of the database needs attention', async () => {
  await team.sql(
    "insert into private.backups (due_at, attempt, state, finished_at, missing_files) values (now(), 1, 'verified', now(), 0)",
  )
  await report({ disks: { backup_shares_disk: true } })
  expect(await finding('backup')).toMatchObject({ state: 'attention', code: 'same_disk' })
})

test('a backup that is no longer where it was kept is none, and its night is due again', async () => {
  await team.sql(
    `insert into private.backups (due_at, attempt, state, finished_at, missing_files, address)
     values ('2026-01-01', 1, 'verified', now() - interval '10 minutes', 0, '/mnt/b/one.tar')`,
  )
  await report()
  const claim = async (kept: string[] | null) =>
    (await call(server, 'claim_backup', { due_at: '2026-01-01', kept })).data as string | null
  expect(await claim(null)).toBeNull()
  expect(await claim(['one.tar', 'two.tar'])).toBeNull()
  expect(await finding('backup')).toMatchObject({ state: 'fine', code: 'good' })
  expect(await claim(['two.tar'])).toEqual(expect.any(String))
  expect(await finding('backup')).toMatchObject({ state: 'fine', code: 'first' })
})

/** Deliveries of the last hour on a channel. */
async function deliveries(channel: string, states: string[], reason = '403 refused') {
  const [device] = await team.sql<{ id: string }>(
    `insert into public.push_devices (user_id, token, platform, channel, p256dh, auth)
     values ($1, $2, 'web', $3, $4, $5) returning id`,
    [admin.id, `https://push.example/${randomUUID()}`, channel, 'A'.repeat(87), 'A'.repeat(22)],
  )
  await team.sql(
    `with entry as (insert into private.push_outbox (kind, device_id, spread_at) values ('test', $2, now()) returning id)
     insert into private.push_deliveries (outbox_id, user_id, device_id, channel, collapse_key, due_at, state, reason, finished_at)
     select entry.id, $1, $2, $3, 'test', now(), state, $5, now() - interval '1 minute' from entry, unnest($4::text[]) state`,
    [admin.id, device?.id, channel, states, reason],
  )
  return device?.id
}

test('notifications that a provider refuses are wrong, some of many need attention', async () => {
  await deliveries('web', ['failed', 'failed', 'uncertain'], '403 token-of-a-member')
  const found = await finding('push_web')
  expect(found).toMatchObject({
    state: 'wrong',
    code: 'failing',
    detail: { count: 3, status: '403' },
  })
  expect(JSON.stringify(found)).not.toContain('token-of-a-member')
  await deliveries('web', ['sent'])
  expect(await finding('push_web')).toMatchObject({ state: 'attention', code: 'failing' })
  await deliveries('web', Array<string>(40).fill('sent'))
  expect(await finding('push_web')).toMatchObject({ state: 'fine', code: 'on' })
})

test('a device that is gone is no fault of the channel', async () => {
  const id = await deliveries('web', ['failed', 'failed', 'failed'], '410 gone')
  await team.sql('delete from public.push_devices where id = $1', [id])
  expect(await finding('push_web')).toMatchObject({ state: 'fine' })
})

test('a channel that is off needs attention where somebody has such a device, and names the settings', async () => {
  await team.sql(
    "update public.push_channels set is_on = false, detail = 'PUSH_FCM_SERVICE_ACCOUNT is not JSON: secret' where channel = 'fcm'",
  )
  expect(await finding('push_fcm')).toMatchObject({ state: 'fine', code: 'unused' })
  await deliveries('fcm', [])
  expect(await finding('push_fcm')).toMatchObject({
    ...{ state: 'attention', code: 'off', detail: { settings: ['PUSH_FCM_SERVICE_ACCOUNT'] } },
  })
})

test.each([
  [60, 'fine', 'empty'],
  [400, 'attention', 'late'],
  [1000, 'wrong', 'late'],
])('a notification that is due for %i seconds is judged %s', async (age, state, code) => {
  await deliveries('web', [])
  await team.sql(
    "insert into private.push_outbox (kind, device_id, created_at) values ('test', gen_random_uuid(), $1)",
    [ago(age)],
  )
  expect(await finding('push_queue')).toMatchObject({ state, code })
})

test('records that nobody seals need attention, and a broken archive is wrong', async () => {
  const tooOld = [
    [700, 'attention'],
    [2 * HOUR, 'wrong'],
  ] as const
  await sealAll(team)
  expect(await finding('archive')).toMatchObject({ state: 'fine', code: 'sealed' })
  for (const [age, state] of tooOld) {
    await team.sql(
      `insert into archive.records (recorded_at, kind, actor_role, audience, content)
       values ($1, 'server.tested', 'postgres', 'nobody', '{}')`,
      [ago(age)],
    )
    expect(await finding('archive')).toMatchObject({ state, code: 'unsealed' })
    await sealAll(team)
  }
  await workerStep(team)
  await team.sql(
    `insert into archive.records (kind, actor_role, audience, content) values ('server.tested', 'postgres', 'nobody', '{}')`,
  )
  await sealAll(team)
  for (const [age, state] of tooOld) {
    await team.sql('alter table archive.seals disable trigger guard_seal')
    await team.sql(
      'update archive.seals set sealed_at = $1 where number > (select seal from private.review_worker)',
      [ago(age)],
    )
    await team.sql('alter table archive.seals enable trigger guard_seal')
    expect(await finding('archive')).toMatchObject({ state, code: 'unreviewed' })
  }
  await workerStep(team)
  expect(await finding('archive')).toMatchObject({ state: 'fine', code: 'sealed' })
  await call(server, 'report_system_check', { part: 'archive', result: { findings: 2 } })
  expect(await finding('archive')).toMatchObject({
    ...{ state: 'wrong', code: 'broken', detail: { count: 2 } },
  })
})

test('the certificate is looked at by one process, twice a day, and judged by its days', async () => {
  const due = await Promise.all([report(), report(), report()])
  expect(due.filter((each) => each?.certificate_is_due)).toHaveLength(1)
  expect(await finding('certificate')).toMatchObject({ state: 'fine', code: 'unchecked' })
  const judged = async (days: number, problem: string | null = null) => {
    const expires_at = ago(-days * 24 * HOUR)
    const result = { host: 'rally.example', expires_at, problem }
    await call(server, 'report_system_check', { part: 'certificate', result })
    const { state, code } = (await finding('certificate')) ?? {}
    return [state, code]
  }
  expect(await judged(15)).toEqual(['fine', 'valid'])
  expect(await judged(13)).toEqual(['attention', 'expiring'])
  expect(await judged(2)).toEqual(['wrong', 'expiring'])
  expect(await judged(-1)).toEqual(['wrong', 'expired'])
  expect(await judged(80, 'name')).toEqual(['wrong', 'name'])
  expect(await judged(80, 'unreachable')).toEqual(['attention', 'unreachable'])
  expect((await report())?.certificate_is_due).toBe(false)
  await team.sql("update private.system_checks set checked_at = now() - interval '13 hours'")
  expect((await report())?.certificate_is_due).toBe(true)
  const moved = { site: { host: 'other.example', is_https: true, is_local: false } }
  expect((await report(moved))?.certificate_is_due).toBe(true)
})

test('a process that says nothing vanishes, one that ends does at once, and mixed versions show', async () => {
  const ids = [randomUUID(), randomUUID()]
  await report({}, ids[0])
  await report({ pid: 2, version: '1.1.0' }, ids[1])
  expect(await finding('versions')).toMatchObject({
    ...{ state: 'attention', code: 'mixed', detail: { versions: ['1.0.0', '1.1.0'] } },
  })
  await call(server, 'forget_process', { process_id: ids[1] })
  expect(await finding('versions')).toBeUndefined()
  expect(await finding('process')).toMatchObject({ scope: null, detail: { pid: 1 } })
  await team.sql("update private.server_processes set reported_at = now() - interval '4 minutes'")
  expect(await finding('process')).toBeUndefined()
})

test('a machine is named where there are several, and a process has a number where there are', async () => {
  const place = (worker: number) => ({ place: { port: 8080, worker } })
  await report({ ...place(2), pid: 12 })
  expect((await findings()).every(({ scope }) => scope === null || scope === 'rally.example')).toBe(
    true,
  )
  expect((await finding('process'))?.detail).not.toHaveProperty('number')
  await report({ ...place(1), pid: 11 })
  await report({ host: 'two', pid: 21, disks: disk(95) })
  const processes = (await findings()).filter(({ part }) => part === 'process')
  expect(processes.map(({ scope, detail }) => [scope, detail.number, detail.pid])).toEqual([
    ['one', 1, 11],
    ['one', 2, 12],
    ['two', undefined, 21],
  ])
  expect(await finding('disk_data')).toMatchObject({ scope: 'two', state: 'wrong' })
})

test('a process that ends without a word and is replaced is counted, and no longer shown as one that runs', async () => {
  const place = { place: { port: 8080 } }
  await report(place)
  await report(place)
  expect((await findings()).filter(({ part }) => part === 'process')).toHaveLength(1)
  expect(await finding('restarts')).toBeUndefined()
  const passes = (interval: string) =>
    team.sql(
      'update private.server_processes set reported_at = reported_at - $1::interval where id in (select private.replaced_processes())',
      [interval],
    )
  await passes('80 seconds')
  expect(await finding('restarts')).toMatchObject({
    ...{ state: 'attention', code: 'crashed', detail: { count: 1 } },
  })
  for (let crash = 0; crash < 4; crash++) await report(place)
  await passes('80 seconds')
  expect(await finding('restarts')).toMatchObject({ state: 'wrong', detail: { count: 5 } })
  await passes('1 hour')
  expect(await finding('restarts')).toBeUndefined()
})

test('a process that was stopped, or reports from another port, is no crash', async () => {
  const stopped = randomUUID()
  await report({ place: { port: 8080 } }, stopped)
  await report({ place: { port: 8081 } })
  await call(server, 'forget_process', { process_id: stopped })
  await report({ place: { port: 8080 } })
  await team.sql(
    "update private.server_processes set reported_at = reported_at - interval '2 minutes'",
  )
  expect(await finding('restarts')).toBeUndefined()
})

test('a worker that is not brought back is missing', async () => {
  const worker = (number: number) => ({ place: { port: 8080, worker: number }, workers: 3 })
  await report(worker(1))
  await report(worker(2))
  expect(await finding('restarts')).toBeUndefined()
  await team.sql(
    "update private.server_processes set started_at = started_at - interval '2 minutes'",
  )
  expect(await finding('restarts')).toMatchObject({
    ...{ state: 'wrong', code: 'missing', detail: { count: 1 } },
  })
  await report(worker(3))
  expect(await finding('restarts')).toBeUndefined()
})

test('whatever can be wrong has a reason for the notice, in both languages', async () => {
  const codes = [
    'mail unusable',
    'mail late',
    'push_web failing',
    'push_queue late',
    ...['disk_data full', 'disk_backup unreachable', 'disk_backup read_only'],
    ...[
      'archive unsealed',
      'archive unreviewed',
      'archive broken',
      'process busy',
      'database slow',
      'database away',
    ],
    ...['certificate expiring', 'certificate expired', 'certificate name', 'certificate untrusted'],
    ...['restarts crashed', 'restarts missing', 'clock off'],
  ]
  for (const each of codes) {
    const [part, code] = each.split(' ')
    const [row] = await team.sql<{ en: string; es: string }>(
      `select private.system_problems_in_words(array[f], false) as en, private.system_problems_in_words(array[f], true) as es
       from (select row($1::text, null, 'wrong', $2::text, '{}'::jsonb)::private.system_finding) r (f)`,
      [part, code],
    )
    expect(row?.en, each).toMatch(/^[A-Z][^:]+: .+\.$/)
    expect(row?.es, each).toMatch(/^[A-Z][^:]+: .+\.$/)
    expect(row?.es).not.toBe(row?.en)
  }
})

test('two hundred processes are remembered, and a report has 8 kB', async () => {
  await team.sql(
    `insert into private.server_processes (id, started_at, facts)
     select gen_random_uuid(), now(), '{}' from generate_series(1, 250)`,
  )
  await report()
  const [{ count }] = (await team.sql<{ count: string }>(
    'select count(*) from private.server_processes',
  )) as [{ count: string }]
  expect(Number(count)).toBe(200)
  const { error } = await call(server, 'report_process', {
    ...{ process_id: randomUUID(), started_at: new Date().toISOString() },
    facts: { long: 'x'.repeat(9000) },
  })
  expect(error?.message).toBe(
    'new row for relation "server_processes" violates check constraint "Facts must be an object of at most 8 kB"',
  )
  expect(JSON.stringify(error)).not.toContain('xxx')
})

const notices = () =>
  team.sql<{ title: string; body: string; link: string; audience_members: string[] }>(
    'select title, body, link, audience_members from public.team_notices order by title',
  )
const timePasses = (interval: string) =>
  team.sql(
    'update private.system_alerts set began_at = began_at - $1::interval, fine_since = fine_since - $1::interval',
    [interval],
  )

test('admins are notified once of what stays wrong for a quarter of an hour, until it is over', async () => {
  await team.sql('truncate private.system_alerts')
  await team.sql('delete from public.team_notices')
  const member = await team.aMember()
  const full = { disks: disk(95), ...mail({ late: 1 }) }
  await report(full)
  expect(await notices()).toEqual([])
  await timePasses('16 minutes')
  await Promise.all([report(full), report(full), report(full)])
  const [notice, ...others] = await notices()
  expect(others).toEqual([])
  expect(notice).toMatchObject({
    title: 'Something is wrong with the server',
    body:
      'Disk: 95 % full. Email: some have been waiting for more than ten minutes. ' +
      'The page System under Admin says what to do.',
    link: '/admin/system',
  })
  expect(notice?.audience_members).toContain(admin.id)
  expect(notice?.audience_members).not.toContain(member.id)

  // A restart, a moment in which it is fine, and days later: the same problem.
  await team.sql('truncate private.server_processes')
  await report()
  await timePasses('10 minutes')
  await report(full)
  await timePasses('3 days')
  await report(full)
  expect(await notices()).toHaveLength(1)

  await team.sql('truncate private.server_processes')
  await report()
  await timePasses('61 minutes')
  await report()
  await report(full)
  await timePasses('16 minutes')
  await report(full)
  expect(await notices()).toHaveLength(2)
})
