// Monday morning: a team of ten thousand, of whom three thousand open the app within five minutes, read, write in the team chat
// and in their groups, and get a notice with push; then two minutes in which all of them are online. The program is the one that
// is shipped, with its own Postgres; phones and the push service run on the same machine. Prints tables for README.md.
// MEMBERS, ONLINE, MINUTES, CALM_MINUTES and WORKERS for another size.
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createPhone, type Town } from './monday-phone.ts'
import { connectTo, fillTeam } from './monday-team.ts'
import { sampleWaits } from './postgres-waits.ts'
import { usageOf } from './process-usage.ts'
import { startShippedServer } from './shipped-server.ts'

const MEMBERS = Number(process.env.MEMBERS ?? 10_000)
const ONLINE = Number(process.env.ONLINE ?? 3_000)
const MINUTES = Number(process.env.MINUTES ?? 5)
const CALM_MINUTES = Number(process.env.CALM_MINUTES ?? 2)
/** Of those who open the app, who has to sign in with a password. */
const PASSWORD_SHARE = 0.1
const TO_THE_CHATS_SHARE = 0.6
/** How often somebody who is online writes, and how often to the whole team. */
const WRITES_EVERY_MS = 3 * 60_000
const TEAM_SHARE = 0.05
const NOTICE_AT_MINUTE = MINUTES * 0.6
const PUSH_TIMEOUT_MS = 180_000

const samples = new Map<string, number[]>()
const refusals = new Map<string, number>()
const town: Town = {
  ...{ url: '', key: '', team: '' },
  note: (what, ms) => void (samples.get(what) ?? samples.set(what, []).get(what))?.push(ms),
  refused: (what, status) =>
    void refusals.set(`${status} ${what}`, (refusals.get(`${status} ${what}`) ?? 0) + 1),
}
const pushService = createServer((request, response) => {
  request.resume().on('end', () => void response.writeHead(201).end())
})
await new Promise<void>((resolve) => pushService.listen(0, '127.0.0.1', resolve))
const pushUrl = `http://127.0.0.1:${(pushService.address() as AddressInfo).port}`

const dataDir = await mkdtemp(join(tmpdir(), 'monday-'))
const server = await startShippedServer(dataDir, { PUSH_WEB_SERVICES: pushUrl })
Object.assign(town, { url: server.url, key: server.key })
const database = await connectTo(dataDir)
const { team, devices } = await fillTeam(database, MEMBERS, pushUrl)
town.team = team

// Spread over all groups.
const phones = Array.from({ length: ONLINE }, (_, n) =>
  createPhone(Math.floor((n * MEMBERS) / ONLINE), town),
)
const lastWeek = phones.filter((_, n) => n % 10 >= PASSWORD_SHARE * 10)
console.error(`${MEMBERS} members; ${lastWeek.length} of them sign in before`)
for (let at = 0; at < lastWeek.length; at += 16)
  await Promise.all(lastWeek.slice(at, at + 16).map((phone) => phone.signIn()))
samples.clear()

const observer = await connectTo(dataDir)
const waits = sampleWaits(observer)
const minutes: string[] = []
let isOver = false
let online = 0
const morning = performance.now()
const live = Promise.all(phones.map(useThePhone))
const notice = sendNotice()
const totalMinutes = MINUTES + CALM_MINUTES
for (let minute = 1; minute <= totalMinutes; minute++) await watchMinute(minute)
isOver = true
await live
const noticeTook = await notice
await report()
for (const phone of phones) phone.close()
pushService.close()
pushService.closeAllConnections()
waits.stop()
await observer.end()
await database.end()
await server.stop()
await rm(dataDir, { recursive: true, force: true })
process.exit(refusals.size === 0 ? 0 : 1)

async function useThePhone(phone: (typeof phones)[number], n: number) {
  await wait(((n + Math.random()) / ONLINE) * MINUTES * 60_000)
  await phone.open()
  online++
  if (Math.random() < TO_THE_CHATS_SHARE) {
    await wait(5_000 + Math.random() * 25_000)
    await phone.openTeamChat()
  }
  for (;;) {
    const until = performance.now() - Math.log(Math.random()) * WRITES_EVERY_MS
    while (performance.now() < until && !isOver)
      await wait(Math.min(1000, until - performance.now()))
    if (isOver) return
    await phone.say(Math.random() < TEAM_SHARE ? 'team' : 'group')
  }
}

/** An admin's notice to everybody. Returns how long until it was on all phones that were open and sent to all devices. */
async function sendNotice() {
  await wait(NOTICE_AT_MINUTE * 60_000)
  const { access_token: token } = (await (
    await fetch(`${town.url}/auth/v1/token?grant_type=password`, {
      method: 'POST',
      headers: { apikey: town.key, 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'dana.reyes@example.com', password: 'rally-demo' }),
    })
  ).json()) as { access_token: string }
  const open = online
  const started = performance.now()
  const response = await fetch(`${town.url}/rest/v1/team_notices`, {
    method: 'POST',
    headers: {
      ...{ apikey: town.key, authorization: `Bearer ${token}` },
      'content-type': 'application/json',
    },
    body: JSON.stringify({ title: 'The meeting starts at nine', is_urgent: true }),
  })
  if (!response.ok) throw new Error(await response.text())
  const storedMs = performance.now() - started
  const shown = () => phones.filter((phone) => phone.received().notices > 0).length
  while (shown() < open && performance.now() - started < PUSH_TIMEOUT_MS) await wait(20)
  const shownMs = performance.now() - started
  for (;;) {
    const { rows } = await database.query<{ sent: number; pushMs: number }>(
      `select count(*)::int as sent, extract(epoch from max(d.finished_at) - min(o.created_at))::float8 * 1000 as "pushMs"
       from private.push_deliveries d join private.push_outbox o on o.id = d.outbox_id
       where o.notice_id is not null and d.state = 'sent'`,
    )
    const { sent = 0, pushMs = 0 } = rows[0] ?? {}
    if (sent >= devices || performance.now() - started > PUSH_TIMEOUT_MS)
      return { storedMs, open, shownMs, sent, pushMs }
    await wait(500)
  }
}

async function watchMinute(minute: number) {
  const before = { server: usageOf([server.pid], false), all: usageOf([server.pid]) }
  const from = (samples.get('request') ?? []).length
  const liveFrom = (samples.get('team chat message, live') ?? []).length
  await wait(Math.max(0, morning + minute * 60_000 - performance.now()))
  const after = { server: usageOf([server.pid], false), all: usageOf([server.pid]) }
  const requests = (samples.get('request') ?? []).slice(from)
  const deliveries = (samples.get('team chat message, live') ?? []).slice(liveFrom)
  const percent = (used: number) => `${Math.round((used / 60) * 100)} %`
  const own = after.server.cpuS - before.server.cpuS
  const line = [
    ...[minute, online, Math.round(requests.length / 60), at(requests, 0.5), at(requests, 0.99)],
    ...[at(deliveries, 0.99), percent(own), percent(after.all.cpuS - before.all.cpuS - own)],
    Math.round(after.server.residentKb / 1024),
    waits.take(),
  ]
  minutes.push(`| ${line.join(' | ')} |`)
  console.error(minutes.at(-1))
}

function at(values: number[], share: number): string {
  const sorted = values.toSorted((one, other) => one - other)
  const value = sorted[Math.floor((sorted.length - 1) * share)]
  return value === undefined ? '' : value < 10 ? value.toFixed(1) : String(Math.round(value))
}

async function report() {
  const text = (value: number) => value.toLocaleString('en-US')
  console.log(
    `${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}, ${text(MEMBERS)} members, ${text(ONLINE)} online within ${MINUTES} minutes\n`,
  )
  console.log(
    '| Minute | Online | Requests/s | p50 ms | p99 ms | Live p99 ms | Server CPU | Postgres CPU | Server MiB | Postgres works or waits for |',
  )
  console.log('| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |')
  for (const line of minutes) console.log(line)
  console.log(
    '\n| What | Times | p50 ms | p99 ms | Slowest ms |\n| --- | ---: | ---: | ---: | ---: |',
  )
  for (const [what, values] of samples)
    console.log(
      `| ${what} | ${text(values.length)} | ${at(values, 0.5)} | ${at(values, 0.99)} | ${at(values, 1)} |`,
    )
  const { storedMs, open, shownMs, sent, pushMs } = noticeTook
  console.log(
    `\nThe notice: stored for ${text(MEMBERS)} in ${Math.round(storedMs)} ms, on ${text(open)} open phones after ${Math.round(shownMs)} ms, ` +
      `pushed to ${text(sent)} of ${text(devices)} devices in ${(pushMs / 1000).toFixed(1)} s`,
  )
  const { rows } = await database.query<{ count: number; size: string }>(
    `select (select count(*) from public.chat_messages where message like 'Good morning to all of you, sent%')::int as count,
       pg_size_pretty(pg_database_size(current_database())) as size`,
  )
  const sentHere =
    (samples.get('message stored, team') ?? []).length +
    (samples.get('message stored, group') ?? []).length
  console.log(`Messages sent ${sentHere}, stored ${rows[0]?.count}; database ${rows[0]?.size}`)
  console.log(`Refused: ${refusals.size === 0 ? 'nothing' : ''}`)
  for (const [what, times] of refusals) console.log(`- ${times} × ${what}`)
}
