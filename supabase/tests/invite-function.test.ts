import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { inviteScene, type InviteScene } from './invite-scene.ts'

let scene: InviteScene
let dana: Awaited<ReturnType<InviteScene['aMember']>>
let maya: typeof dana

beforeAll(async () => {
  scene = await inviteScene()
  dana = await scene.aMember()
  maya = await scene.aMember()
})
afterAll(() => scene?.close())
beforeEach(() => scene.sql('delete from private.invitation_mails'))

/** As if the latest mails had gone out longer ago than a repeated press. */
const aMinuteLater = () =>
  scene.sql("update public.invitations set last_sent_at = last_sent_at - interval '61 seconds'")
const invitationOf = async (email: string) =>
  (await scene.sql('select * from public.invitations where email = $1', [email]))[0]

const DAY_MS = 24 * 60 * 60_000
const anAddress = () => `rep.${randomUUID()}@example.com`
/** Where a mailed link leads. */
const opened = async (link: string) =>
  (await fetch(link, { redirect: 'manual' })).headers.get('location') ?? ''
const people = (...emails: string[]) => emails.map((email) => ({ email }))

describe('an admin', () => {
  test('invites a list, and gets an outcome for each person', async () => {
    const [one, two] = [anAddress(), anAddress()]
    const list = people(one, 'not an address', maya.email, two.toUpperCase(), one)
    expect(await scene.invite(dana.token, list)).toEqual({
      status: 200,
      results: [
        { email: one, outcome: 'invited' },
        { email: 'not an address', outcome: 'invalid' },
        { email: maya.email, outcome: 'already_a_member' },
        { email: two, outcome: 'invited' },
      ],
    })
    expect(scene.mailTo(one)?.subject).toMatch(/invites you to Test$/)
    expect(scene.mailTo(maya.email)).toBeUndefined()
  })

  test('the link in the mail opens Create Account with a session that still needs a password', async () => {
    const email = anAddress()
    const named = { email, first_name: 'Nora', last_name: 'Vance' }
    await scene.invite(dana.token, [named], { locale: 'es' })
    const mail = scene.mailTo(email)
    expect(mail?.subject).toMatch(/te invita a Test$/)
    const { target, client } = await scene.openLink(mail?.links[0] ?? '')
    expect(target.pathname).toBe('/create-account')
    expect(target.searchParams.get('invitation')).toBe((await invitationOf(email))?.id)
    const { data } = await client.auth.getUser()
    expect(data.user).toMatchObject({
      email,
      user_metadata: { first_name: 'Nora', last_name: 'Vance', locale: 'es', needs_password: true },
    })
    const row = await client.from('users').select('first_name, role').eq('email', email).single()
    expect(row.data).toEqual({ first_name: 'Nora', role: 'user' })
    expect(await scene.invite(dana.token, people(email))).toMatchObject({
      results: [{ outcome: 'already_a_member' }],
    })
  })

  test('re-invites a person who has not accepted; either link works until one is used', async () => {
    const email = anAddress()
    await scene.invite(dana.token, people(email))
    const first = scene.mailTo(email)?.links[0] ?? ''
    await aMinuteLater()
    await scene.sql("update public.invitations set expires_at = now() + interval '1 hour'")
    expect((await scene.invite(dana.token, people(email))).results).toEqual([
      { email, outcome: 'invited' },
    ])
    const second = scene.mailTo(email)?.links[0] ?? ''
    expect(second).not.toBe(first)
    const invitation = await invitationOf(email)
    expect(invitation).toMatchObject({ times_sent: 2, invited_by: dana.id })
    expect(Number(invitation?.expires_at)).toBeGreaterThan(Date.now() + 6 * DAY_MS)
    const { client } = await scene.openLink(first)
    expect((await client.auth.getUser()).data.user?.user_metadata).toMatchObject({
      needs_password: true,
    })
    expect(await opened(second)).toContain('error_code=otp_expired')
  })

  test('pressed twice, it sends one mail, which counts once, and says which press sent it', async () => {
    const email = anAddress()
    const send = () => scene.invite(dana.token, people(email))
    const responses = await Promise.all([send(), send(), send()])
    const outcomes = responses.flatMap(({ results }) => results ?? []).map(({ outcome }) => outcome)
    expect(outcomes.toSorted()).toEqual(['invited', 'just_invited', 'just_invited'])
    const mails = scene.backend.mail.messages().filter(({ to }) => to === email)
    expect(mails).toHaveLength(1)
    expect(await scene.sql('select from private.invitation_mails')).toHaveLength(1)
  })

  test('each mail is in the language of the person, else in that of the call', async () => {
    const [one, two] = [anAddress(), anAddress()]
    const list = [{ email: one, locale: 'es' }, { email: two }]
    await scene.invite(dana.token, list, { locale: 'en' })
    expect(scene.mailTo(one)?.subject).toMatch(/te invita a Test$/)
    expect(scene.mailTo(two)?.subject).toMatch(/invites you to Test$/)
    expect(await invitationOf(one)).toMatchObject({ locale: 'es' })
    expect(await invitationOf(two)).toMatchObject({ locale: 'en' })
  })

  test('sending a member an invitation that was left open ends it', async () => {
    const email = maya.email
    await scene.sql('insert into public.invitations (email, invited_by) values ($1, $2)', [
      email,
      dana.id,
    ])
    const again = await scene.invite(dana.token, people(email))
    expect(again.results).toEqual([{ email, outcome: 'already_a_member' }])
    expect(await invitationOf(email)).toMatchObject({ accepted_by: maya.id, times_sent: 0 })
  })

  test('an address with an invisible character is invalid, and invites nobody; one person’s text spoils no list', async () => {
    const email = anAddress()
    const response = await scene.invite(dana.token, [
      { email: email.replace('.', '\u200b.') },
      { email, first_name: 'No\0ra', last_name: '\ud800' },
    ])
    expect(response.results?.map(({ outcome }) => outcome)).toEqual(['invalid', 'invited'])
    expect(await invitationOf(email)).toMatchObject({ first_name: 'Nora', last_name: '' })
    expect(await scene.sql('select from private.invitation_mails')).toHaveLength(1)
  })

  test('addresses are stored without spaces around them, even when the database is called directly', async () => {
    const email = anAddress()
    await dana.client
      .rpc('plan_invitations', { people: [{ email: ` ${email.toUpperCase()}\u00a0` }, { email }] })
      .throwOnError()
    expect(await invitationOf(email)).toMatchObject({ email })
  })

  test('the mail names who invites and who is invited', async () => {
    const email = anAddress()
    await scene.sql(
      "update private.members set first_name = 'Dana', last_name = 'Fox' where id = $1",
      [dana.id],
    )
    await scene.invite(dana.token, [{ email, first_name: 'Nora', last_name: 'Vance' }])
    const mail = scene.mailTo(email)
    expect(mail?.subject).toBe('Dana Fox invites you to Test')
    expect(mail?.text).toContain(`Dana Fox invites Nora Vance (${email}) to join Test.`)
  })

  test('a mail that cannot be sent is recorded with the reason, and can be sent again', async () => {
    const email = anAddress()
    const failing = (refusal: Response | Error) => (request: Request) => {
      if (!request.url.includes('/auth/v1/invite')) return undefined
      if (refusal instanceof Error) throw refusal
      return refusal
    }
    const message = 'Error sending invite email'
    const response = await scene.invite(dana.token, people(email), {
      respondFirst: failing(
        Response.json({ code: 'unexpected_failure', message }, { status: 500 }),
      ),
    })
    expect(response.results).toEqual([{ email, outcome: 'failed', message }])
    expect(await invitationOf(email)).toMatchObject({ bounce_reason: message })
    expect((await invitationOf(email))?.bounced_at).not.toBeNull()
    const again = await scene.invite(dana.token, people(email))
    expect(again.results).toEqual([{ email, outcome: 'invited' }])
    expect(await invitationOf(email)).toMatchObject({ bounced_at: null, bounce_reason: '' })
  })

  test('an invitation never confirms the password of a stranger who signed up with the address', async () => {
    const email = anAddress()
    const stranger = scene.aClient()
    const password = 'the stranger’s'
    await stranger.auth.signUp({ email, password, options: { data: { first_name: 'Mallory' } } })
    await scene.invite(dana.token, people(email))
    await fetch(scene.mailTo(email)?.links[0] ?? '', { redirect: 'manual' })
    const tried = await stranger.auth.signInWithPassword({ email, password })
    expect(tried.error?.code).toBe('invalid_credentials')
    const [account] = await scene.sql(
      'select raw_user_meta_data as data from auth.users where email = $1',
      [email],
    )
    expect(account?.data).toMatchObject({ first_name: '', needs_password: true })
  })

  /** Does something after the invitations were planned, before a request that is made for the first mail. */
  async function inviteWhile(
    token: string,
    list: string[],
    meanwhile: () => Promise<unknown>,
    before = '/rpc/prepare_invitation_mail',
  ) {
    let done: Promise<unknown> | undefined
    const { results } = await scene.invite(token, people(...list), {
      async respondFirst(request) {
        if (request.url.includes(before)) await (done ??= meanwhile())
        return undefined
      },
    })
    return results?.map(({ outcome }) => outcome)
  }

  test('whose invitations are taken back while they are mailed mails no more', async () => {
    const list = Array.from({ length: 6 }, anAddress)
    const robin = await scene.aMember()
    await scene.sql("update private.members set role = 'admin' where id = $1", [robin.id])
    const outcomes = await inviteWhile(robin.token, list, () =>
      scene.sql("update private.members set role = 'user' where id = $1", [robin.id]),
    )
    expect(outcomes).toEqual(list.map(() => 'taken_back'))
    expect(list.map((email) => scene.mailTo(email))).toEqual(list.map(() => undefined))
    expect(await scene.sql('select from auth.users where email = any ($1)', [list])).toEqual([])
  })

  const removed = (list: string[]) => async () => {
    await scene.sql(
      'update public.invitations set revoked_at = now() where email = any ($1) and revoked_at is null',
      [list],
    )
  }

  test('whose invitation is taken back when its mail is already under way leaves no link that works', async () => {
    const email = anAddress()
    const outcomes = await inviteWhile(dana.token, [email], removed([email]), '/auth/v1/invite')
    expect(outcomes).toEqual(['taken_back'])
    expect(await scene.sql('select from auth.users where email = $1', [email])).toEqual([])
    const response = await fetch(scene.mailTo(email)?.links[0] ?? '', { redirect: 'manual' })
    expect(response.headers.get('location')).not.toContain('access_token')
  })

  test('whose address is invited again meanwhile keeps the new link', async () => {
    const email = anAddress()
    const again = async () => {
      await removed([email])()
      await scene.sql(
        'insert into public.invitations (email, invited_by, last_sent_at) values ($1, $2, now())',
        [email, dana.id],
      )
    }
    const outcomes = await inviteWhile(dana.token, [email], again, '/auth/v1/invite')
    expect(outcomes).toEqual(['taken_back'])
    expect(await scene.sql('select from auth.users where email = $1', [email])).toHaveLength(1)
  })

  test('who confirms their own sign-up meanwhile keeps their password and session', async () => {
    const email = anAddress()
    const own = scene.aClient()
    const password = 'their own password'
    await own.auth.signUp({ email, password })
    const link = scene.mailTo(email)?.links[0] ?? ''
    const outcomes = await inviteWhile(dana.token, [email], () => opened(link))
    expect(outcomes).toEqual(['joined'])
    const { error } = await own.auth.signInWithPassword({ email, password })
    expect(error).toBeNull()
    expect(scene.backend.mail.messages().filter(({ to }) => to === email)).toHaveLength(1)
  })

  test('invites at most 100 people at once and 500 an hour', async () => {
    const many = Array.from({ length: 101 }, anAddress)
    expect((await scene.invite(dana.token, people(...many))).status).toBe(400)
    await scene.sql(
      'insert into private.invitation_mails (invited_by) select $1 from generate_series(1, 499)',
      [dana.id],
    )
    expect((await scene.invite(dana.token, people(anAddress()))).status).toBe(200)
    const refused = await scene.invite(dana.token, people(anAddress()))
    expect(refused).toEqual({
      status: 429,
      message: 'Too many invitations: at most 500 an hour',
    })
    await scene.sql("update private.invitation_mails set sent_at = now() - interval '61 minutes'")
    expect((await scene.invite(dana.token, people(anAddress()))).status).toBe(200)
  })

  test.each([[null], [[]], ['rep@example.com'], [{}]])('sends %j: 400', async (list) => {
    expect((await scene.invite(dana.token, list)).status).toBe(400)
  })
})

describe('refused, without a mail, is', () => {
  test('a member who is not an admin, even with a stale admin page: 403', async () => {
    const email = anAddress()
    expect(await scene.invite(maya.token, people(email))).toEqual({
      status: 403,
      message: 'Only an admin may invite people',
    })
    expect((await scene.invite(maya.token, people('nonsense'))).status).toBe(403)
    expect(scene.mailTo(email)).toBeUndefined()
  })

  test('an admin whose role was just revoked: 403', async () => {
    const robin = await scene.aMember()
    const role = (name: string) =>
      scene.sql('update private.members set role = $2 where id = $1', [robin.id, name])
    await role('admin')
    expect((await scene.invite(robin.token, people(anAddress()))).status).toBe(200)
    await role('user')
    expect((await scene.invite(robin.token, people(anAddress()))).status).toBe(403)
  })

  test("a caller who is signed out, revoked, or has another installation's token: 401", async () => {
    const robin = await scene.aMember()
    await robin.client.auth.signOut({ scope: 'global' })
    const { publishableKey } = scene.backend
    for (const token of [null, publishableKey, robin.token, 'e30.e30.e30'])
      expect((await scene.invite(token, people(anAddress()))).status).toBe(401)
  })

  test('anything but a POST: 405; a function that does not exist: 404', async () => {
    const headers = {
      apikey: scene.backend.publishableKey,
      authorization: `Bearer ${dana.token}`,
    }
    const ask = (name: string) =>
      fetch(`${scene.backend.url}/functions/v1/${name}`, { headers }).then(({ status }) => status)
    expect(await ask('invite')).toBe(405)
    expect(await ask('constructor')).toBe(404)
  })
})
