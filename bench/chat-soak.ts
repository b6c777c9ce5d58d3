// No lost messages: members send while sockets are cut and the server and Postgres are killed. At the end every
// acknowledged message is stored once and every reader shows all of them, once, in the same order.
// Usage: chat-soak.ts [messages]
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startSoakServer, type SoakServer } from './chat-soak-server.ts'
import { openReader, type Reader } from './chat-soak-reader.ts'

const MEMBERS = 60
const SENDERS = 4
const READERS = 4
const SEND_AGAIN_EVERY = 10
const TROUBLE_EVERY_MS = 2_500
const SETTLE_TIMEOUT_MS = 60_000
const DUPLICATE = 409

const total = Number(process.argv[2] ?? 10_000)
const dataDir = await mkdtemp(join(tmpdir(), 'soak-'))
let server: SoakServer = await startSoakServer(MEMBERS, dataDir)
const { arena } = server
const acknowledged = new Map<string, string>()
const counts = { retries: 0, duplicates: 0, cut: 0, serverKills: 0, postgresKills: 0 }

async function post(seat: number, row: { id: string; message: string }): Promise<number> {
  const { id: sender, token } = arena.seats[seat] ?? { id: '', token: '' }
  const response = await fetch(`${arena.url}/rest/v1/chat_messages`, {
    method: 'POST',
    headers: {
      apikey: arena.key,
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      prefer: 'return=minimal',
    },
    body: JSON.stringify({ ...row, chat_id: arena.chatId, sender_id: sender }),
    signal: AbortSignal.timeout(10_000),
  })
  await response.text()
  return response.status
}

/** Retries until the message is acknowledged; after a lost response the next one is a duplicate key. */
async function deliver(seat: number, row: { id: string; message: string }) {
  for (;;) {
    const status = await post(seat, row).catch(() => 0)
    if (status === 201 || status === DUPLICATE) {
      if (status === DUPLICATE) counts.duplicates++
      acknowledged.set(row.id, row.message)
      return
    }
    if (status >= 400 && status < 500 && status !== 408 && status !== 429)
      throw new Error(`refused with ${status}`)
    counts.retries++
    await wait(100)
  }
}

async function send(seat: number) {
  for (let n = seat; n < total; n += SENDERS) {
    const row = { id: randomUUID(), message: `message ${n} of seat ${seat}` }
    await deliver(seat, row)
    if (n % SEND_AGAIN_EVERY === 0) await deliver(seat, row)
  }
}

let isDone = false
async function makeTrouble(readers: Reader[]) {
  for (let turn = 0; !isDone; turn++) {
    await wait(TROUBLE_EVERY_MS * (0.5 + Math.random()))
    if (isDone) return
    readers[Math.floor(Math.random() * readers.length)]?.cut()
    counts.cut++
    if (turn % 4 === 1) {
      const pid = Number(
        readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n', 1)[0],
      )
      process.kill(pid, 'SIGKILL')
      counts.postgresKills++
    } else if (turn % 4 === 3) {
      await server.kill()
      server = await startSoakServer(MEMBERS, dataDir, arena)
      counts.serverKills++
    }
  }
}

const readers = await Promise.all(
  Array.from({ length: READERS }, (_, index) => openReader(arena, SENDERS + index)),
)
const started = performance.now()
const trouble = makeTrouble(readers)
await Promise.all(Array.from({ length: SENDERS }, (_, seat) => send(seat)))
isDone = true
await trouble
const sentS = (performance.now() - started) / 1000
const settleBy = performance.now() + SETTLE_TIMEOUT_MS
while (performance.now() < settleBy && readers.some((reader) => reader.shown().length < total))
  await wait(100)

const stored = await server.stored()
const problems: string[] = []
if (stored.length !== total) problems.push(`${stored.length} stored instead of ${total}`)
if (new Set(stored.map(({ message }) => message)).size !== stored.length)
  problems.push('a message is stored twice')
const storedIds = new Set(stored.map(({ id }) => id))
const lost = [...acknowledged.keys()].filter((id) => !storedIds.has(id))
if (lost.length > 0) problems.push(`${lost.length} acknowledged messages are not stored`)
const order = stored.map(({ id }) => id).join()
readers.forEach((reader, index) => {
  if (reader.shown().join() !== order)
    problems.push(`reader ${index} shows ${reader.shown().length} messages, or another order`)
})
console.log(`${total} messages in ${sentS.toFixed(0)} s`, counts)
console.log(
  `received live: ${readers.map((reader) => reader.live()).join(', ')}; the rest was read after reconnecting`,
)
console.log(problems.length === 0 ? 'passed' : `FAILED: ${problems.join('; ')}`)
for (const reader of readers) reader.close()
await server.stop()
await rm(dataDir, { recursive: true, force: true })
process.exit(problems.length === 0 ? 0 : 1)
