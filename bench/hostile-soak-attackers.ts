// The attackers of hostile-soak.ts: strangers with the public key and one member, cycling through the attacks in many concurrent loops.
// Usage: hostile-soak-attackers.ts URL KEY MINUTES. Bounded in time and concurrency; prints the answers.
import { randomBytes, randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { WebSocket } from 'ws'

const LOOPS = 24
const GIVE_UP_MS = 5_000
const PAUSE_MS = 50
const SOCKET_MS = 3_000

const [url = '', key = '', minutes = '10'] = process.argv.slice(2)
const until = performance.now() + Number(minutes) * 60_000
const strangers = { apikey: key, authorization: `Bearer ${key}` }
const { access_token: token } = (await (
  await fetch(`${url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { apikey: key, 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'chloe.martin@example.com', password: 'rally-demo' }),
  })
).json()) as { access_token: string }
const asMember = { apikey: key, authorization: `Bearer ${token}` }
const answers = new Map<string, number>()

type Headers = Record<string, string>

async function ask(path: string, headers: Headers, body?: unknown, abortAfterMs = GIVE_UP_MS) {
  const text =
    body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
  const answer = await fetch(`${url}${path}`, {
    method: text === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: text,
    signal: AbortSignal.timeout(abortAfterMs),
  })
  await answer.arrayBuffer()
  return String(answer.status)
}

/** Opens a socket, sends the `frames` and keeps it open for a while. */
async function socket(frames: () => (string | Buffer)[]) {
  const peer = new WebSocket(
    `${url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${key}&vsn=1.0.0`,
  )
  let outcome = 'open'
  peer.on('error', () => (outcome = 'refused'))
  peer.on('close', () => (outcome = outcome === 'open' ? 'cut' : outcome))
  peer.on('open', () => {
    for (const frame of frames()) peer.send(frame)
  })
  await wait(SOCKET_MS)
  peer.terminate()
  return outcome
}

const join = (topic: string, config: object, accessToken?: string) =>
  JSON.stringify({
    topic: `realtime:${topic}`,
    event: 'phx_join',
    ref: '1',
    join_ref: '1',
    payload: { config, ...(accessToken ? { access_token: accessToken } : {}) },
  })

const many = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index))
const embeds = (count: number) =>
  many(count, (index) => `a${index}:chat_messages(message)`).join(',')
const innerEmbeds = many(300, (index) => `a${index}:chat_participants!inner(chat_id)`).join(',')
const unknownArguments = Object.fromEntries(many(100_000, (index) => [`argument_${index}`, index]))
const fourMegabytes = 'x'.repeat(4 * 1024 * 1024)
const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`

const attacks: Record<string, () => Promise<string>> = {
  'giant answer': () => ask(`/rest/v1/chats?select=${embeds(62)}`, asMember),
  'function as a column': () =>
    ask('/rest/v1/rpc/get_user_count?select=pgrst_scalar,x:pg_sleep', asMember, undefined, 300),
  'aborted search': () => ask('/rest/v1/rpc/search_messages', asMember, { query: 'e' }, 50),
  '300 inner embeds': () => ask(`/rest/v1/chats?select=id,${innerEmbeds}`, strangers),
  'unknown arguments': () => ask('/rest/v1/rpc/email_confirmed', strangers, unknownArguments),
  '4 MB uuid': () => ask('/rest/v1/rpc/email_confirmed', strangers, { user_id: fourMegabytes }),
  'deep body': () => ask('/rest/v1/chat_messages', asMember, deep),
  'long query string': () => ask(`/rest/v1/users?select=${'id,'.repeat(4_000)}id`, asMember),
  'many conditions': () =>
    ask(`/rest/v1/users?or=(${many(1_500, (n) => `id.eq.${n}`).join()})`, asMember),
  '40,000 broadcasts': () =>
    ask('/realtime/v1/api/broadcast', strangers, {
      messages: many(40_000, (index) => ({
        topic: `chat:${index}`,
        event: 'x',
        payload: {},
        private: true,
      })),
    }),
  'public presence': () =>
    socket(() => [
      ...many(95, (index) => join(`public-${index}`, { presence: { enabled: true, key: 'x' } })),
      ...many(95, (index) =>
        JSON.stringify({
          topic: `realtime:public-${index}`,
          event: 'presence',
          ref: '2',
          join_ref: '1',
          payload: { type: 'presence', event: 'track', payload: { x: 'x'.repeat(255 * 1024) } },
        }),
      ),
    ]),
  'joins again and again': () =>
    socket(() =>
      many(300, () => join(`chat:${randomUUID()}`, { private: true, broadcast: {} }, token)),
    ),
  'random frames': () => socket(() => many(50, () => randomBytes(1024))),
  'random paths': () => ask(`/rest/v1/${randomBytes(12).toString('base64url')}`, asMember),
  'forged token': () =>
    ask('/rest/v1/users', {
      apikey: key,
      authorization: `Bearer ${randomBytes(300).toString('base64url')}`,
    }),
  'wrong passwords': () =>
    ask('/auth/v1/token?grant_type=password', strangers, {
      email: 'dana.reyes@example.com',
      password: randomUUID(),
    }),
  'sign-ups': () =>
    ask('/auth/v1/signup', strangers, {
      email: `${randomUUID()}@example.com`,
      password: 'secret1',
    }),
  'slow headers': () =>
    new Promise((resolve) => {
      const { hostname, port } = new URL(url)
      const peer = connect(Number(port), hostname, () =>
        peer.write('GET /health HTTP/1.1\r\nHost:'),
      )
      peer.on('error', () => resolve('refused'))
      peer.on('close', () => resolve('closed'))
      setTimeout(() => peer.destroy(), SOCKET_MS)
    }),
  'upload that stops': () =>
    ask(`/storage/v1/object/images/${randomUUID()}`, asMember, fourMegabytes, 30),
}

await Promise.all(
  many(LOOPS, async (loop) => {
    const names = Object.keys(attacks)
    for (let turn = loop; performance.now() < until; turn++) {
      const name = names[turn % names.length] ?? ''
      const outcome = await attacks[name]?.().catch((error: unknown) => (error as Error).name)
      const label = `${name}: ${outcome}`
      answers.set(label, (answers.get(label) ?? 0) + 1)
      await wait(PAUSE_MS)
    }
  }),
)
for (const [label, count] of [...answers].toSorted()) console.log(`  ${label} × ${count}`)
process.exit(0)
