// A team of ten thousand, all online in one process: what a quiet socket holds, how fast a message is with all of them, and how
// soon all are back after a restart. Phones connect again as the app does. The program is the one that is shipped, with its
// own Postgres; the phones run on the same machine. Prints tables for README.md. ONLINE for another size.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { reconnectAfterMs } from '../web/src/data/reconnect-after.ts'
import { createPhone, type Phone, type Town } from './monday-phone.ts'
import { connectTo, fillTeam } from './monday-team.ts'
import { usageOf } from './process-usage.ts'
import { startShippedServer } from './shipped-server.ts'

const ONLINE = Number(process.env.ONLINE ?? 10_000)
const MESSAGES = 20
const MESSAGE_EVERY_MS = 2_000
const READ_EVERY_MS = 20
const TIMEOUT_MS = 120_000

const delivered: number[] = []
const requests: number[] = []
const refusals = new Map<string, number>()
const town: Town = {
  ...{ url: '', key: '', team: '' },
  note: (what, ms) => {
    if (what === 'team chat message, live') delivered.push(ms)
    if (what === 'request') requests.push(ms)
  },
  refused: (what, status) =>
    void refusals.set(`${status} ${what}`, (refusals.get(`${status} ${what}`) ?? 0) + 1),
}

const dataDir = await mkdtemp(join(tmpdir(), 'restart-'))
let server = await startShippedServer(dataDir)
Object.assign(town, { url: server.url, key: server.key })
const database = await connectTo(dataDir)
town.team = (await fillTeam(database, ONLINE, 'http://127.0.0.1:9')).team
await database.end()
const phones = Array.from({ length: ONLINE }, (_, n) => createPhone(n, town))
await inTurn(16, (phone) => phone.signIn())
console.error(`${ONLINE} are signed in`)

await wait(10_000)
const before = usageOf([server.pid], false).residentKb
const joining = performance.now()
await inTurn(64, (phone) => phone.join())
const joinedS = (performance.now() - joining) / 1000
await wait(30_000)
const socketKb = (usageOf([server.pid], false).residentKb - before) / ONLINE

for (let n = 0; n < MESSAGES; n++) {
  await phones[n]?.say('team')
  await wait(MESSAGE_EVERY_MS)
}

for (const [what, count] of refusals) console.error(`Before the restart: ${count} × ${what}`)
refusals.clear()
requests.length = 0
let back = 0
const joinedAgain = Promise.all(phones.map(joinAgain))
const stopping = performance.now()
await server.stop()
const stoppedS = (performance.now() - stopping) / 1000
server = await startShippedServer(dataDir, { onPort: server.port })
const ready = performance.now()
const readers = readUntil(joinedAgain)
await Promise.race([joinedAgain, wait(TIMEOUT_MS)])
const backS = (performance.now() - ready) / 1000
await readers

console.log(`| What | Measured |\n| --- | ---: |`)
console.log(`| ${ONLINE} joined, 64 at a time | ${joinedS.toFixed(1)} s |`)
console.log(`| Memory of a quiet socket with four topics | ${socketKb.toFixed(1)} kB |`)
console.log(
  `| A message to all, ${delivered.length} deliveries: p50, p99, slowest | ${at(delivered, 0.5)}, ${at(delivered, 0.99)}, ${at(delivered, 1)} ms |`,
)
console.log(`| The old process ended after | ${stoppedS.toFixed(1)} s |`)
console.log(`| The new one was ready after | ${((ready - stopping) / 1000).toFixed(1)} s |`)
console.log(`| ${back} of ${ONLINE} had joined again, after that | ${backS.toFixed(1)} s |`)
console.log(
  `| Reads meanwhile: number, p50, p99 | ${requests.length}, ${at(requests, 0.5)}, ${at(requests, 0.99)} ms |`,
)
console.log(`Refused: ${refusals.size === 0 ? 'nothing' : ''}`)
for (const [what, count] of refusals) console.log(`- ${count} × ${what}`)
for (const phone of phones) phone.close()
await server.stop()
await rm(dataDir, { recursive: true, force: true })
process.exit(back === ONLINE && refusals.size === 0 ? 0 : 1)

async function inTurn(atOnce: number, work: (phone: Phone) => Promise<void>) {
  for (let n = 0; n < phones.length; n += atOnce)
    await Promise.all(phones.slice(n, n + atOnce).map(work))
}

async function joinAgain(phone: Phone) {
  await phone.closed()
  for (let tries = 1; ; tries++) {
    await wait(reconnectAfterMs(tries))
    const hasJoined = await phone.join().then(
      () => true,
      () => false,
    )
    if (hasJoined) return void back++
  }
}

/** Members who read their chat list meanwhile. */
async function readUntil(end: Promise<unknown>) {
  let isOver = false
  void Promise.race([end, wait(TIMEOUT_MS)]).then(() => (isOver = true))
  const running: Promise<unknown>[] = []
  for (let n = 0; !isOver; n++) {
    running.push(phones[n % phones.length]?.readChats() ?? Promise.resolve())
    await wait(READ_EVERY_MS)
  }
  await Promise.all(running)
}

function at(values: number[], share: number): string {
  const sorted = values.toSorted((one, other) => one - other)
  const value = sorted[Math.floor((sorted.length - 1) * share)]
  return value === undefined ? '' : String(Math.round(value))
}
