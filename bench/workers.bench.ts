// One worker and two, on the same machine with the same load: messages stored a second, how long each takes, and how long until a
// reader has it. The program is the one that is shipped.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RealtimeClient } from '@supabase/supabase-js'
import { WebSocket } from 'ws'
import { usageOf } from './process-usage.ts'
import { startShippedServer, type ShippedServer } from './shipped-server.ts'

const SECONDS = 10
const CLIENTS = 32
const READERS = 50
const ROUNDS = 3
const MAIL = 'smtp://127.0.0.1:1'
const PASSWORD = 'rally-demo'

type Kind = 'read' | 'insert'
type Figures = { perSecond: number; p50: number; p99: number; live99: number; cpu: number }

async function signIn({ url, key }: ShippedServer, email: string) {
  const response = await fetch(`${url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { apikey: key, 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: PASSWORD }),
  })
  return (await response.json()) as { access_token: string; user: { id: string } }
}

async function measure(server: ShippedServer, kind: Kind): Promise<Figures> {
  const { access_token: token, user } = await signIn(server, 'maya.ortiz@example.com')
  const headers = {
    apikey: server.key,
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
  }
  const chats = await fetch(`${server.url}/rest/v1/chats?type=eq.mandatory&select=id`, { headers })
  const [{ id: chat } = { id: '' }] = (await chats.json()) as { id: string }[]
  const sentAt = new Map<string, number>()
  const live: number[] = []
  const readers = kind === 'insert' ? await openReaders(server, token, chat) : []
  for (const { channel } of readers)
    channel.on('broadcast', { event: 'message_inserted' }, ({ payload }) => {
      const sent = sentAt.get((payload as { id: string }).id)
      if (sent !== undefined) live.push(performance.now() - sent)
    })
  const took: number[] = []
  const cpuBefore = usageOf([server.pid]).cpuS
  const end = performance.now() + SECONDS * 1000

  async function client() {
    while (performance.now() < end) {
      const id = crypto.randomUUID()
      const started = performance.now()
      sentAt.set(id, started)
      const response =
        kind === 'read'
          ? await fetch(
              `${server.url}/rest/v1/chat_messages?chat_id=eq.${chat}&order=sent_at.desc&limit=50`,
              { headers },
            )
          : await fetch(`${server.url}/rest/v1/chat_messages`, {
              method: 'POST',
              headers,
              body: JSON.stringify({ id, chat_id: chat, sender_id: user.id, message: 'Hello' }),
            })
      await response.text()
      if (!response.ok) throw new Error(`${response.status}`)
      took.push(performance.now() - started)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  const cpu = ((usageOf([server.pid]).cpuS - cpuBefore) * 1000) / took.length
  for (const { connection } of readers) await connection.disconnect()
  return {
    ...{ perSecond: took.length / SECONDS, p50: at(took, 0.5), p99: at(took, 0.99) },
    ...{ live99: at(live, 0.99), cpu },
  }
}

async function openReaders({ url, key }: ShippedServer, token: string, chat: string) {
  return Promise.all(
    Array.from({ length: READERS }, async () => {
      const connection = new RealtimeClient(`${url.replace('http', 'ws')}/realtime/v1`, {
        params: { apikey: key },
        transport: WebSocket as never,
        accessToken: () => Promise.resolve(token),
      })
      await connection.setAuth()
      const channel = connection.channel(`chat:${chat}`, { config: { private: true } })
      await new Promise<void>((resolve) => channel.subscribe(() => resolve()))
      return { connection, channel }
    }),
  )
}

function at(values: number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length * part)] ?? NaN
}

const median = (values: number[]) => at(values, 0.5)

for (const kind of ['read', 'insert'] as const) {
  const rounds = new Map<number, Figures[]>()
  for (let round = 0; round < ROUNDS; round++) {
    for (const workers of [1, 2]) {
      const dataDir = await mkdtemp(join(tmpdir(), 'workers-bench-'))
      const server = await startShippedServer(dataDir, { WORKERS: String(workers), SMTP_URL: MAIL })
      try {
        rounds.set(workers, [...(rounds.get(workers) ?? []), await measure(server, kind)])
      } finally {
        await server.stop()
        await rm(dataDir, { recursive: true, force: true })
      }
    }
  }
  for (const [workers, all] of rounds) {
    const of = (name: keyof Figures) => median(all.map((each) => each[name])).toFixed(1)
    console.log(
      `${kind}, ${workers} worker(s): ${of('perSecond')}/s, p50 ${of('p50')} ms, p99 ${of('p99')} ms, ` +
        `live p99 ${of('live99')} ms, CPU ${of('cpu')} ms/request`,
    )
  }
}
