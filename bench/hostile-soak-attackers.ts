// The attackers of hostile-soak.ts: strangers with the public key and a member, from many networks, cycling through the attacks in
// many concurrent loops. Usage: hostile-soak-attackers.ts URL KEY MINUTES. Bounded in time and concurrency; prints the outcomes.
import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { post, signIn } from './hostile-soak-members.ts'

const LOOPS = 24
const GIVE_UP_MS = 5_000
const PAUSE_MS = 50
const SOCKET_MS = 3_000

const NETWORKS = 64
/** Signs in as somebody who chats meanwhile. */
const THIEF = '203.0.113.66'

const [url = '', key = '', minutes = '10'] = process.argv.slice(2)
const until = performance.now() + Number(minutes) * 60_000
const strangers = { apikey: key, authorization: `Bearer ${key}` }
const {
  token,
  headers: asMember,
  chatId: chat,
} = await signIn(url, key, 'chloe.martin@example.com')
const enrolment = { factor_type: 'totp', friendly_name: randomUUID() }
const { id: factor } = (await post(`${url}/auth/v1/factors`, asMember, enrolment)) as { id: string }
const outcomes = new Map<string, number>()

/** Of the ranges for benchmarks (RFC 2544) and documentation (RFC 3849): each call from another of many networks. */
function anyAddress(): string {
  const network = randomInt(NETWORKS)
  return randomInt(2) === 0
    ? `198.18.${network}.${randomInt(256)}`
    : `2001:db8:${network.toString(16)}:${randomInt(65_536).toString(16)}::1`
}

type Headers = Record<string, string>

async function ask(path: string, headers: Headers, body?: unknown, abortAfterMs = GIVE_UP_MS) {
  const isRaw = typeof body === 'string' || Buffer.isBuffer(body)
  const response = await fetch(`${url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': anyAddress(), ...headers },
    body: body === undefined ? undefined : isRaw ? body : JSON.stringify(body),
    signal: AbortSignal.timeout(abortAfterMs),
  })
  await response.arrayBuffer()
  return String(response.status)
}

/** Opens a socket, sends the `frames` and keeps it open for a while. */
async function socket(frames: () => (string | Buffer)[]) {
  const peer = new WebSocket(
    `${url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${key}&vsn=1.0.0`,
    { headers: { 'x-forwarded-for': anyAddress() } },
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
const deeper = `{"messages":${'['.repeat(500_000)}${']'.repeat(500_000)}}`
const manyKeys = JSON.stringify(Object.fromEntries(many(115_000, (index) => [`k${index}`, 0])))
const frame = (event: string, payload: object) =>
  JSON.stringify({ topic: `realtime:chat:${chat}`, event, ref: '2', join_ref: '1', payload })
const oneOf = <T>(values: readonly T[]) => values[randomInt(values.length)]!
const somebody = () =>
  oneOf(['dana.reyes', 'theo.brandt', 'marcus.bell', 'elena.petrova', `x${randomInt(1e6)}`]) +
  '@example.com'

/** To one of the two services that take JSON from strangers. */
const askWithJson = (body: string) =>
  ask(oneOf(['/realtime/v1/api/broadcast', '/storage/v1/object/list/chat-images']), strangers, body)
const newImage = () => `/storage/v1/object/chat-images/${chat}/${randomUUID()}.png`

/** A PNG whose header says 16,000 × 16,000; the rest would be as good as nothing. */
function pictureBomb(): Buffer {
  const bytes = Buffer.alloc(64 * 1024)
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').copy(bytes)
  bytes.writeUInt32BE(16_000, 16)
  bytes.writeUInt32BE(16_000, 20)
  return bytes
}

const attacks: Record<string, () => Promise<string>> = {
  'giant response': () => ask(`/rest/v1/chats?select=${embeds(62)}`, asMember),
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
  'upload that stops': () => ask(newImage(), asMember, fourMegabytes, 30),
  'picture bomb': () =>
    ask(newImage(), { ...asMember, 'content-type': 'image/png' }, pictureBomb()),
  '115,000 keys': () => askWithJson(manyKeys),
  '500,000 deep': () => askWithJson(deeper),
  'ever new statements': () =>
    ask(
      `/rest/v1/chats?select=id,${many(20, () => `a${randomBytes(8).toString('hex')}:chat_messages(message)`).join()}&limit=1`,
      asMember,
    ),
  'batch of searches': () =>
    ask(
      '/batch/v1',
      asMember,
      many(10, () => ({
        method: 'POST',
        path: '/rest/v1/rpc/search_everything',
        headers: { 'content-type': 'application/json' },
        body: '{"query":"\\"the team\\""}',
      })),
    ),
  '50 MB of frames': () =>
    socket(() => [
      join(`chat:${chat}`, { private: true, broadcast: {} }, token),
      ...many(200, () =>
        frame('broadcast', {
          type: 'broadcast',
          event: 'x',
          payload: { x: 'x'.repeat(255 * 1024) },
        }),
      ),
    ]),
  'replay again and again': () =>
    socket(() =>
      many(50, (index) =>
        join(
          `chat:${chat}`,
          { private: true, broadcast: { replay: { since: index, limit: 25 } } },
          token,
        ),
      ),
    ),
  'reset mails': () => ask('/auth/v1/recover', strangers, { email: somebody() }),
  'sign-in links': () => ask('/auth/v1/otp', strangers, { email: somebody(), create_user: false }),
  'sign-ins of a thief': () =>
    ask(
      '/auth/v1/token?grant_type=password',
      { ...strangers, 'x-forwarded-for': THIEF },
      { email: 'marcus.bell@example.com', password: 'rally-demo' },
    ),
  'guessed codes': () =>
    ask(`/auth/v1/factors/${factor}/verify`, asMember, {
      challenge_id: randomUUID(),
      code: String(randomInt(1e6)).padStart(6, '0'),
    }),
  'guessed recovery codes': () =>
    ask('/rest/v1/rpc/use_recovery_code', asMember, { code: randomBytes(5).toString('hex') }),
  'errors of the app': () =>
    ask('/rest/v1/rpc/report_app_error', asMember, {
      kind: 'TypeError',
      places: [`index-${randomBytes(4).toString('hex')}.js:1:${randomInt(1e6)}`],
      screen: '/chats',
      browser: 'Chrome 140 on Android',
    }),
}

await Promise.all(
  many(LOOPS, async (loop) => {
    const names = Object.keys(attacks)
    for (let turn = loop; performance.now() < until; turn++) {
      const name = names[turn % names.length] ?? ''
      const outcome = await attacks[name]?.().catch((error: unknown) => (error as Error).name)
      const label = `${name}: ${outcome}`
      outcomes.set(label, (outcomes.get(label) ?? 0) + 1)
      await wait(PAUSE_MS)
    }
  }),
)
for (const [label, count] of [...outcomes].toSorted()) console.log(`  ${label} × ${count}`)
process.exit(0)
