// An access token is good for nothing once its session has ended, or until the session has shown the second factor. Nor may it
// use up what its owner needs: writes, live messages, sockets.
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { LIMITS as HTTP_LIMITS } from 'backend/http/limits.ts'
import { LIMITS } from 'backend/realtime/limits.ts'
import { aFactor, aSession, aToken, type Assurance } from './assurance-sessions.ts'
import { aTeam, type Person, type Team } from './team.ts'

let team: Team
beforeAll(async () => {
  team = await aTeam()
})
afterAll(() => team?.close())

/** The token of a new session of the member's. */
async function tokenOf(member: Person, aal: Assurance): Promise<string> {
  const sessionId = await aSession(team, member, aal)
  return aToken(team.backend, { id: member.id, sessionId, aal })
}

async function endSessions({ id }: Person) {
  await team.sql('delete from auth.sessions where user_id = $1', [id])
}

/** A member's own token, and one with which nothing is allowed. */
const scenes = {
  'of a session that has ended': async () => {
    const member = await team.aMember()
    const worthless = await tokenOf(member, 'aal1')
    await endSessions(member)
    return { member, worthless, own: await tokenOf(member, 'aal1') }
  },
  'of a session that owes a code': async () => {
    const member = await team.aMember()
    await aFactor(team, member)
    return { member, worthless: await tokenOf(member, 'aal1'), own: await tokenOf(member, 'aal2') }
  },
}
const SCENES = Object.entries(scenes)

const post = (token: string, path: string, body: unknown) =>
  fetch(`${team.backend.url}${path}`, {
    method: 'POST',
    headers: {
      apikey: team.backend.publishableKey,
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  }).then(({ status }) => status)

async function untilRefused(send: () => Promise<number>): Promise<void> {
  await vi.waitFor(async () => expect(await send()).toBe(429), { interval: 0 })
}

const write = (token: string, kind: string) =>
  post(token, '/rest/v1/rpc/report_app_error', { kind, places: [], screen: '', browser: '' })

test.each(SCENES)('a token %s does not use up what its owner may write', async (_, scene) => {
  const { worthless, own } = await scene()
  await untilRefused(() => write(worthless, 'x'.repeat(250_000)))
  expect(await write(own, 'x')).toBe(204)
})

test('what is refused does not use up what a member may write, even of a session that has just ended', async () => {
  const member = await team.aMember()
  const [ended, own] = [await tokenOf(member, 'aal1'), await tokenOf(member, 'aal1')]
  expect(await write(ended, 'x')).toBe(204)
  const { session_id } = JSON.parse(atob(ended.split('.')[1] ?? '')) as { session_id: string }
  await team.sql('delete from auth.sessions where id = $1', [session_id])
  // Counted as 8 MiB.
  const places = Array.from({ length: 33_000 }, () => '')
  const error = { kind: 'x', places, screen: '', browser: '' }
  for (let tries = 0; tries < 3; tries++)
    expect(await post(ended, '/rest/v1/rpc/report_app_error', error)).toBe(429)
  expect(await write(own, 'x')).toBe(204)
})

test('many sessions of a member write together what one may', async () => {
  const member = await team.aMember()
  const tokens = await Promise.all(Array.from({ length: 5 }, () => tokenOf(member, 'aal1')))
  const statuses = await Promise.all(
    tokens.flatMap((token) => Array.from({ length: 10 }, () => write(token, 'x'.repeat(250_000)))),
  )
  const accepted = statuses.filter((status) => status !== 429).length
  expect(accepted).toBeGreaterThan(20)
  expect(accepted * 250_000).toBeLessThan(8 * 1024 * 1024)
})

test('the larger bodies of all sessions of a member count together, also of calls that write nothing; small ones do not', async () => {
  const member = await team.aMember()
  const tokens = await Promise.all(['', '', ''].map(() => tokenOf(member, 'aal1')))
  const ask = (token: string, bytes: number) =>
    post(token, '/rest/v1/rpc/email_confirmed', { user_id: 'x'.repeat(bytes) })
  // From here on the database is known to let them in.
  for (const token of tokens) expect(await ask(token, 1)).toBe(400)
  const most = HTTP_LIMITS.sentBytesPerMinute / 250_000
  for (const token of tokens.slice(0, 2))
    for (let count = 1; count < most; count++) expect(await ask(token, 249_000)).toBe(400)
  await untilRefused(() => ask(tokens[2]!, 249_000))
  expect(await ask(tokens[2]!, 10_000)).toBe(400)
  expect(await ask(await tokenOf(await team.aMember(), 'aal1'), 249_000)).toBe(400)
})

test.each(SCENES)('a token %s does not use up the owner’s live messages', async (_, scene) => {
  const { worthless, own, member } = await scene()
  const message = { topic: `user:${member.id}`, event: 'x', payload: {}, private: true }
  const messages = Array.from({ length: LIMITS.httpMessagesPerBatch }, () => message)
  await untilRefused(() => post(worthless, '/realtime/v1/api/broadcast', { messages }))
  expect(await post(own, '/realtime/v1/api/broadcast', { messages })).toBe(202)
})

async function aSocket() {
  const address = `${team.backend.url.replace('http', 'ws')}/realtime/v1/websocket`
  const socket = new WebSocket(`${address}?apikey=${team.backend.publishableKey}&vsn=2.0.0`)
  await once(socket, 'open')
  return socket
}

/** @returns the status of the reply */
async function join(socket: WebSocket, topic: string, token: string): Promise<string> {
  const payload = { config: { private: true }, access_token: token }
  socket.send(JSON.stringify(['1', '1', `realtime:${topic}`, 'phx_join', payload]))
  const [data] = (await once(socket, 'message')) as [Buffer]
  return (JSON.parse(data.toString()) as [0, 0, 0, 0, { status: string }])[4].status
}

test.each(SCENES)('a token %s takes none of its owner’s sockets', async (_, scene) => {
  const { worthless, own, member } = await scene()
  const topic = `user:${member.id}`
  const strangers = await Promise.all(
    Array.from({ length: LIMITS.connectionsPerAccount }, () => aSocket()),
  )
  for (const socket of strangers) expect(await join(socket, topic, worthless)).toBe('error')
  const socket = await aSocket()
  expect(await join(socket, topic, own)).toBe('ok')
  for (const each of [socket, ...strangers]) each.terminate()
})

test('sockets whose session ends are no longer the account’s', async () => {
  const member = await team.aMember()
  const topic = `user:${member.id}`
  const token = await tokenOf(member, 'aal1')
  const sockets = await Promise.all(
    Array.from({ length: LIMITS.connectionsPerAccount }, () => aSocket()),
  )
  for (const socket of sockets) expect(await join(socket, topic, token)).toBe('ok')
  const closed = Promise.all(sockets.map((socket) => once(socket, 'message')))
  await endSessions(member)
  await closed
  const socket = await aSocket()
  expect(await join(socket, topic, await tokenOf(member, 'aal1'))).toBe('ok')
  for (const each of [socket, ...sockets]) each.terminate()
})
