// The list of invitations by mail: what state they are in, finding them, taking them back, and mails that are refused.
import { once } from 'node:events'
import { randomUUID } from 'node:crypto'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { freePort } from 'backend/postgres/free-port.ts'
import { inviteScene, type InviteScene } from './invite-scene.ts'

let scene: InviteScene
let dana: Awaited<ReturnType<InviteScene['aMember']>>

beforeAll(async () => {
  scene = await inviteScene()
  dana = await scene.aMember()
})
afterAll(() => scene?.close())

type Listed = { id: string; email: string; state: string }

const anAddress = () => `rep.${randomUUID()}@example.com`

async function invite(email = anAddress(), caller = dana) {
  const { results } = await scene.invite(caller.token, [{ email }])
  expect(results).toEqual([{ email, outcome: 'invited' }])
  const [row] = await scene.sql('select id from public.invitations where email = $1', [email])
  return { email, id: String(row?.id), link: scene.mailTo(email)?.links[0] ?? '' }
}

async function list(filter: string, query = '', skip = 0): Promise<Listed[]> {
  const result = await dana.client.rpc('list_invitations', { filter, query, skip }).throwOnError()
  return result.data as Listed[]
}
const counts = async () =>
  ((await dana.client.rpc('count_invitations').throwOnError()).data as Record<string, number>[])[0]
const change = (id: string, values: string) =>
  scene.sql(`update public.invitations set ${values} where id = $1`, [id])
const revoke = async (...ids: string[]) =>
  (await dana.client.rpc('revoke_invitations', { invitation_ids: ids }).throwOnError())
    .data as number
const stateOf = async (id: string) =>
  (await scene.aClient().rpc('invitation_state', { invitation_id: id }).throwOnError())
    .data as string
const opened = async (link: string) =>
  (await fetch(link, { redirect: 'manual' })).headers.get('location') ?? ''

test('every invitation is in one state, which filter, count and the mailed page agree on', async () => {
  const pending = await invite()
  const expired = await invite()
  await change(expired.id, "expires_at = now() - interval '1 second'")
  const bounced = await invite()
  await change(bounced.id, "bounced_at = now(), bounce_reason = 'User unknown'")
  const revoked = await invite()
  await revoke(revoked.id)
  const accepted = await invite()
  await opened(accepted.link)
  const all = { pending, expired, bounced, revoked, accepted }
  const before = await counts()
  for (const [state, { id, email }] of Object.entries(all)) {
    expect(await list(state, email)).toMatchObject([{ id, state }])
    expect(await list('all', email)).toMatchObject([{ id, state }])
    expect(await stateOf(id)).toBe(state)
    expect(before?.[state]).toBeGreaterThan(0)
  }
  expect(await stateOf(randomUUID())).toBe('unknown')
  await invite()
  expect((await counts())?.pending).toBe((before?.pending ?? 0) + 1)
})

test('an invited person who has opened the link but chosen no password is listed as such', async () => {
  const { email, link } = await invite()
  const { client } = await scene.openLink(link)
  expect(await list('accepted', email)).toMatchObject([{ needs_password: true }])
  const data = { needs_password: false }
  const { error } = await client.auth.updateUser({ password: 'correct horse battery', data })
  expect(error).toBeNull()
  expect(await list('accepted', email)).toMatchObject([{ needs_password: false }])
  // Somebody with a token of theirs could keep them out of the app.
  const again = await client.auth.updateUser({ data: { needs_password: true } })
  expect(again.error).toBeNull()
  expect(again.data.user?.user_metadata).not.toHaveProperty('needs_password')
  expect(await list('accepted', email)).toMatchObject([{ needs_password: false }])
})

test('somebody invited who resets the password instead has chosen one', async () => {
  const { email, link } = await invite()
  const { client } = await scene.openLink(link)
  const { data, error } = await client.auth.updateUser({ password: 'correct horse battery' })
  expect(error).toBeNull()
  expect(data.user?.user_metadata).not.toHaveProperty('needs_password')
  expect(await list('accepted', email)).toMatchObject([{ needs_password: false }])
})

test('an invitation ends when its sender is no admin any more, and its mailed link is dead', async () => {
  const robin = await scene.aMember()
  const role = (name: string) =>
    scene.sql('update private.members set role = $2 where id = $1', [robin.id, name])
  await role('admin')
  const mailed = await invite(anAddress(), robin)
  const others = await invite()
  expect(await stateOf(mailed.id)).toBe('pending')
  await role('user')
  expect(await stateOf(mailed.id)).toBe('revoked')
  await role('admin')
  expect(await stateOf(mailed.id)).toBe('revoked')
  expect(await stateOf(others.id)).toBe('pending')
  await scene.sql("update public.team_settings set registration = 'invitation'")
  const isMember = async () =>
    (await scene.sql('select from private.members where email = $1', [mailed.email])).length > 0
  expect(await opened(mailed.link)).toContain('error_code=otp_expired')
  expect(await isMember()).toBe(false)
  // Somebody else invites them.
  await opened((await invite(mailed.email)).link)
  expect(await isMember()).toBe(true)
  await scene.sql("update public.team_settings set registration = 'open'")
})

test('names of a pasted list are kept on one line, without what hides in them', async () => {
  const email = anAddress()
  const person = { email, first_name: '\u00a0Maya\tAna\u2028', last_name: ' Ortiz\u202e\n' }
  await scene.invite(dana.token, [person])
  expect(await list('all', email)).toMatchObject([{ first_name: 'Maya Ana', last_name: 'Ortiz' }])
})

test('it is found by name, address and who invited, without accents, a page at a time', async () => {
  await scene.sql(
    "update private.members set first_name = 'Dana', last_name = 'Núñez' where id = $1",
    [dana.id],
  )
  const word = `zz${randomUUID().slice(0, 8)}`
  await scene.sql(
    `insert into public.invitations (email, first_name, invited_by, last_sent_at, created_at)
     select $1 || n || '@example.com', 'José', $2, now(), now() - n * interval '1 minute' from generate_series(1, 60) n`,
    [word, dana.id],
  )
  const first = await list('pending', `jose ${word}`)
  const second = await list('pending', `jose ${word}`, 50)
  expect([first.length, second.length]).toEqual([50, 10])
  expect([...first, ...second].map(({ email }) => email)).toEqual(
    Array.from({ length: 60 }, (_, n) => `${word}${n + 1}@example.com`),
  )
  expect((await list('pending', 'nunez')).length).toBe(50)
})

test('among 10,000 invitations a page and the counts are read in an instant', async () => {
  await scene.sql(
    `insert into public.invitations (email, first_name, last_name, invited_by, last_sent_at, created_at)
     select 'many' || n || '@example.com', 'Ana', 'Person' || n, $1, now(), now() - interval '1 day' - n * interval '1 second'
     from generate_series(1, 10000) n`,
    [dana.id],
  )
  await scene.sql('analyze public.invitations')
  const started = performance.now()
  await Promise.all([
    list('pending'),
    list('pending', '', 9_000),
    list('bounced', 'person7777'),
    counts(),
  ])
  expect(performance.now() - started).toBeLessThan(2_500)
  expect(await list('pending', 'ana person7777')).toMatchObject([{ email: 'many7777@example.com' }])
})

test('taken back, the mailed link is dead at once; pressed twice, nothing changes', async () => {
  const { id, email, link } = await invite()
  expect(await Promise.all([revoke(id), revoke(id)])).toEqual(expect.arrayContaining([0, 1]))
  expect(await opened(link)).toContain('error_code=otp_expired')
  expect(await scene.sql('select from auth.users where email = $1', [email])).toEqual([])
  const [{ revoked_at: before } = {}] = await scene.sql(
    'select revoked_at from public.invitations where id = $1',
    [id],
  )
  await revoke(id)
  const [{ revoked_at: after } = {}] = await scene.sql(
    'select revoked_at from public.invitations where id = $1',
    [id],
  )
  expect(after).toEqual(before)
  // A new invitation is a new one, listed in place of the old one.
  const counted = (await counts())?.revoked ?? 0
  await scene.sql(
    "update public.invitations set last_sent_at = now() - interval '1 hour' where id = $1",
    [id],
  )
  const again = await scene.invite(dana.token, [{ email }])
  expect(again.results).toEqual([{ email, outcome: 'invited' }])
  expect(await list('all', email)).toMatchObject([{ state: 'pending' }])
  expect(await list('revoked', email)).toEqual([])
  expect((await counts())?.revoked).toBe(counted - 1)
  expect(await stateOf(id)).toBe('revoked')
  expect(await opened(scene.mailTo(email)?.links[0] ?? '')).toContain('access_token')
})

test('an accepted invitation cannot be taken back, and nobody loses an account', async () => {
  const { id, email, link } = await invite()
  await opened(link)
  expect(await revoke(id)).toBe(0)
  expect(await stateOf(id)).toBe('accepted')
  expect(await scene.sql('select from auth.users where email = $1', [email])).toHaveLength(1)
  const member = await scene.aMember()
  const [row] = await scene.sql(
    'insert into public.invitations (email, invited_by) values ($1, $2) returning id',
    [member.email, dana.id],
  )
  await revoke(String(row?.id))
  expect(await scene.sql('select from auth.users where id = $1', [member.id])).toHaveLength(1)
})

test('at most 100 are taken back at once, and 500 addresses looked up', async () => {
  const ids = Array.from({ length: 101 }, () => randomUUID())
  const refused = await dana.client.rpc('revoke_invitations', { invitation_ids: ids })
  expect(refused.error?.message).toBe('Take back at most 100 invitations at once')
  const emails = Array.from({ length: 501 }, anAddress)
  const unknown = await dana.client.rpc('known_addresses', { emails })
  expect(unknown.error?.message).toBe('Ask about at most 500 addresses at once')
})

test('of a list of addresses, those of members and of pending invitations are known', async () => {
  const member = await scene.aMember()
  const suspended = await scene.aMember()
  await dana.client
    .rpc('set_member_status', { member_id: suspended.id, status: 'suspended', reason: 'On leave' })
    .throwOnError()
  const pending = await invite()
  const revoked = await invite()
  await revoke(revoked.id)
  const result = await dana.client
    .rpc('known_addresses', {
      emails: [member, suspended, pending, revoked, { email: anAddress() }].map(
        ({ email }) => email,
      ),
    })
    .throwOnError()
  const known = result.data as { email: string; state: string }[]
  expect(Object.fromEntries(known.map(({ email, state }) => [email, state]))).toEqual({
    [member.email]: 'active',
    [suspended.email]: 'suspended',
    [pending.email]: 'invited',
  })
})

/** As the mailed page asks for another link; it has no session. */
async function renew(id: string): Promise<boolean> {
  const response = await fetch(`${scene.backend.url}/functions/v1/invite`, {
    method: 'POST',
    headers: { apikey: scene.backend.publishableKey, 'content-type': 'application/json' },
    body: JSON.stringify({ renew: id, redirect_to: `${scene.backend.url}/create-account` }),
  })
  const body = (await response.json()) as { renewed: boolean }
  // Whoever asks learns nothing else, no address either.
  expect(body).toEqual({ renewed: body.renewed })
  return body.renewed
}
const aMomentLater = (id: string) =>
  change(id, "last_sent_at = last_sent_at - interval '61 seconds'")

test('whoever opens a dead link gets another one at the invited address, at most once a minute', async () => {
  const { id, email, link } = await invite()
  expect(await renew(id)).toBe(false)
  await aMomentLater(id)
  expect(await renew(id)).toBe(true)
  expect(await renew(id)).toBe(false)
  expect(await list('pending', email)).toMatchObject([{ times_sent: 2 }])
  const again = scene.mailTo(email)
  expect(again?.links[0]).not.toBe(link)
  expect(decodeURIComponent(again?.links[0] ?? '')).toContain(`invitation=${id}`)
  expect(await opened(again?.links[0] ?? '')).toContain('access_token')
  expect(await stateOf(id)).toBe('accepted')
  // They are asked for a password like anybody who opens the first link.
  expect(await list('accepted', email)).toMatchObject([{ needs_password: true }])
})

test.each([
  ['taken back', async (id: string) => void (await revoke(id))],
  ['expired', (id: string) => change(id, "expires_at = now() - interval '1 second'")],
  ['bounced', (id: string) => change(id, 'bounced_at = now()')],
  ['mailed 20 times', (id: string) => change(id, 'times_sent = 20')],
])('an invitation that was %s is not mailed again by its link', async (_what, end) => {
  const { id, email } = await invite()
  await aMomentLater(id)
  await end(id)
  const sent = scene.mailTo(email)
  expect(await renew(id)).toBe(false)
  expect(scene.mailTo(email)).toEqual(sent)
})

test('an unknown invitation is not mailed, and two who ask at once get one mail', async () => {
  expect(await renew(randomUUID())).toBe(false)
  const { id, email } = await invite()
  await aMomentLater(id)
  const results = await Promise.all([renew(id), renew(id), renew(id)])
  expect(results.filter(Boolean)).toHaveLength(1)
  expect(await list('pending', email)).toMatchObject([{ times_sent: 2 }])
})

test('a refused mail counts for the invitation it belongs to, until another is sent', async () => {
  const { id, email } = await invite()
  const note = (address: string, at = 'now()') =>
    scene.sql(`select public.note_bounce($1, 'User unknown', ${at})`, [address])
  await note(email, "now() - interval '1 hour'")
  expect(await stateOf(id)).toBe('pending')
  await note(email.toUpperCase())
  expect(await list('bounced', email)).toMatchObject([{ bounce_reason: 'User unknown' }])
  const again = await scene.invite(dana.token, [{ email }])
  expect(again.results).toEqual([{ email, outcome: 'invited' }])
  expect(await list('pending', email)).toMatchObject([{ bounce_reason: '', times_sent: 2 }])
  await opened(scene.mailTo(email)?.links[0] ?? '')
  await note(email)
  expect(await stateOf(id)).toBe('accepted')
})

test('an address that the mail server does not know is bounced, with what the server said', async () => {
  const port = await freePort()
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    closeTimeout: 100,
    onRcptTo: (_address, _session, done) =>
      done(Object.assign(new Error('User unknown'), { responseCode: 550 })),
  })
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  const other = await inviteScene({ smtpUrl: `smtp://127.0.0.1:${port}` })
  try {
    const admin = await other.aMember()
    const email = anAddress()
    expect(await other.invite(admin.token, [{ email }])).toEqual({
      status: 200,
      results: [{ email, outcome: 'invited' }],
    })
    const soon = { timeout: 15_000, interval: 50 }
    await vi.waitFor(async () => {
      const result = await admin.client.rpc('list_invitations', {
        filter: 'bounced',
      })
      expect(result.data).toMatchObject([
        { email, bounce_reason: expect.stringContaining('User unknown') as string },
      ])
    }, soon)
  } finally {
    await other.close()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  }
})
