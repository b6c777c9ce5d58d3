import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestBackend, type TestBackend } from '../testing/start-test-backend.ts'
import { untilBlocked } from '../testing/until-blocked.ts'
import {
  aClient,
  aDevice,
  aMember,
  anAddress,
  aServer,
  bearer,
  call,
  latestMail,
  openLink,
  PASSWORD,
  sessionOf,
  sql,
} from './auth-people.ts'

let backend: TestBackend
beforeAll(async () => {
  backend = await startTestBackend({
    settings: { auth: { rateLimitFactor: 10, mailsShowCode: true } },
  })
})
afterAll(() => backend.close())

async function signInFails(email: string, password: string) {
  const { error } = await aClient(backend).auth.signInWithPassword({ email, password })
  return error?.code
}

test('a forgotten password is reset by mail, which ends old sessions', async () => {
  const { email, client: oldDevice } = await aMember(backend)
  const client = aClient(backend)
  const events: string[] = []
  client.auth.onAuthStateChange((event) => void events.push(event))
  const { data, error } = await client.auth.resetPasswordForEmail(email, {
    redirectTo: `${backend.url}/new-password`,
  })
  expect({ data, error }).toEqual({ data: {}, error: null })

  const { location, fragment } = await openLink(latestMail(backend, email).link)
  expect(location.startsWith(`${backend.url}/new-password#`)).toBe(true)
  expect(fragment.get('type')).toBe('recovery')
  await client.auth.setSession({
    access_token: fragment.get('access_token') ?? '',
    refresh_token: fragment.get('refresh_token') ?? '',
  })
  const changed = await client.auth.updateUser({ password: 'a new password' })
  expect(changed.error).toBeNull()
  expect(await signInFails(email, PASSWORD)).toBe('invalid_credentials')
  expect(await signInFails(email, 'a new password')).toBeUndefined()
  expect((await oldDevice.auth.refreshSession()).error?.code).toBe('refresh_token_not_found')
  expect((await client.auth.getUser()).error).toBeNull()
})

test('a password reset for an unknown address gets the same response and sends no mail', async () => {
  const email = anAddress()
  const { data, error } = await aClient(backend).auth.resetPasswordForEmail(email)
  expect({ data, error }).toEqual({ data: {}, error: null })
  expect(backend.mail.messages().some((mail) => mail.to === email)).toBe(false)
  const empty = await call(backend, '/recover', { body: {} })
  expect(empty.json).toEqual({
    code: 'validation_failed',
    message: 'Password recovery requires an email',
  })
})

test('a changed password ends other sessions and invalidates mailed links', async () => {
  const { email, client } = await aMember(backend)
  const other = await aDevice(backend, email)
  await client.auth.resetPasswordForEmail(email)
  const { link } = latestMail(backend, email)
  expect((await client.auth.updateUser({ password: 'a new password' })).error).toBeNull()
  expect((await openLink(link)).fragment.get('error_code')).toBe('otp_expired')
  expect((await other.auth.getUser()).error?.name).toBe('AuthSessionMissingError')
})

test('the owner is mailed that the password was changed, by a link that opens nothing', async () => {
  const { email, client } = await aMember(backend)
  const mails = () => backend.mail.messages().filter(({ to }) => to === email)
  await client.auth.updateUser({ password: 'short' })
  expect(mails()).toEqual([])
  await client.auth.updateUser({ password: 'a new password' })
  expect(mails().map(({ subject }) => subject)).toEqual(['Your Test password was changed'])
  expect(mails()[0]?.links).toEqual([backend.url])
  expect(mails()[0]?.text).toContain(email)
})

test('the first password after an invitation is no change', async () => {
  const email = anAddress()
  await aServer(backend).auth.admin.inviteUserByEmail(email)
  const { fragment } = await openLink(latestMail(backend, email).link)
  const client = aClient(backend)
  await client.auth.setSession({
    access_token: fragment.get('access_token') ?? '',
    refresh_token: fragment.get('refresh_token') ?? '',
  })
  expect((await client.auth.updateUser({ password: PASSWORD })).error).toBeNull()
  const subjects = backend.mail.messages().filter(({ to }) => to === email)
  expect(subjects).toHaveLength(1)
})

test('a new password must be strong and different', async () => {
  const { client } = await aMember(backend)
  expect((await client.auth.updateUser({ password: '12345' })).error).toMatchObject({
    code: 'weak_password',
    reasons: ['length'],
  })
  expect((await client.auth.updateUser({ password: PASSWORD })).error).toMatchObject({
    status: 422,
    code: 'same_password',
    message: 'New password should be different from the old password.',
  })
})

test('a current password sent with the new one is verified', async () => {
  const { client, email } = await aMember(backend)
  const wrong = await client.auth.updateUser({
    password: 'a new password',
    current_password: 'wrong',
  })
  expect(wrong.error).toMatchObject({ status: 400, code: 'current_password_invalid' })
  const right = await client.auth.updateUser({
    password: 'a new password',
    current_password: PASSWORD,
  })
  expect(right.error).toBeNull()
  expect(await signInFails(email, 'a new password')).toBeUndefined()
})

test('a change of the password gives up a change of the address that waits for its links', async () => {
  const { client, email } = await aMember(backend)
  const other = anAddress()
  await client.auth.updateUser({ email: other })
  await openLink(latestMail(backend, other).link)
  const changed = await client.auth.updateUser({ password: 'a new password' })
  expect(changed.error).toBeNull()
  expect(changed.data.user?.new_email).toBeUndefined()
  backend.clock.advance(61_000)
  const { subject } = latestMail(backend, email)
  await aClient(backend).auth.resend({ type: 'email_change', email })
  expect(latestMail(backend, email).subject).toBe(subject)
})

test('the current password is required if configured, except within 15 minutes of opening a mailed link', async () => {
  const strict = await startTestBackend({ settings: { auth: { requireCurrentPassword: true } } })
  try {
    const { client, email } = await aMember(strict)
    const { error } = await client.auth.updateUser({ password: 'a new password' })
    expect(error).toMatchObject({ status: 400, code: 'current_password_required' })
    await client.auth.resetPasswordForEmail(email)
    const { fragment } = await openLink(latestMail(strict, email).link)
    const recovered = aClient(strict)
    await recovered.auth.setSession({
      access_token: fragment.get('access_token') ?? '',
      refresh_token: fragment.get('refresh_token') ?? '',
    })
    const changed = await recovered.auth.updateUser({ password: 'a new password' })
    expect(changed.error).toBeNull()
    strict.clock.advance(16 * 60_000)
    await recovered.auth.refreshSession()
    const late = await recovered.auth.updateUser({ password: 'a newer password' })
    expect(late.error).toMatchObject({ code: 'current_password_required' })
  } finally {
    await strict.close()
  }
})

test('a first password, too, takes a mailed link of the last 15 minutes, if the current one is required', async () => {
  const strict = await startTestBackend({ settings: { auth: { requireCurrentPassword: true } } })
  try {
    const email = anAddress()
    const opened = async () => {
      await aClient(strict).auth.signInWithOtp({ email })
      const { fragment } = await openLink(latestMail(strict, email).link)
      const client = aClient(strict)
      await client.auth.setSession({
        access_token: fragment.get('access_token') ?? '',
        refresh_token: fragment.get('refresh_token') ?? '',
      })
      return client
    }
    const stale = await opened()
    strict.clock.advance(16 * 60_000)
    await stale.auth.refreshSession()
    for (const current_password of ['', 'anything']) {
      const { error } = await stale.auth.updateUser({ password: 'not yours', current_password })
      expect(error).toMatchObject({ status: 400, code: 'current_password_required' })
    }
    const fresh = await opened()
    expect((await fresh.auth.updateUser({ password: 'my first one' })).error).toBeNull()
  } finally {
    await strict.close()
  }
})

test('changing the password in an old session requires a mailed code, if configured', async () => {
  const strict = await startTestBackend({ settings: { auth: { requireReauthentication: true } } })
  try {
    const { client, email } = await aMember(strict)
    strict.clock.advance(25 * 60 * 60_000)
    await client.auth.refreshSession()
    const { error } = await client.auth.updateUser({ password: 'a new password' })
    expect(error).toMatchObject({ status: 400, code: 'reauthentication_needed' })
    expect((await client.auth.reauthenticate()).error).toBeNull()
    const { code, links } = latestMail(strict, email)
    expect(links).toEqual([])
    const wrong = await client.auth.updateUser({ password: 'a new password', nonce: '000000x' })
    expect(wrong.error).toMatchObject({ status: 422, code: 'reauthentication_not_valid' })
    const right = await client.auth.updateUser({ password: 'a new password', nonce: code })
    expect(right.error).toBeNull()
  } finally {
    await strict.close()
  }
})

test('a member updates their metadata, and keys set to null are removed', async () => {
  const { client } = await aMember(backend)
  const { data } = await client.auth.updateUser({
    data: { last_name: 'Ortiz', first_name: 'Maya', nickname: 'M', settings: { theme: null } },
  })
  expect(data.user?.user_metadata).toMatchObject({ first_name: 'Maya', last_name: 'Ortiz' })
  const second = await client.auth.updateUser({ data: { nickname: null } })
  expect(second.data.user?.user_metadata).not.toHaveProperty('nickname')
  expect(second.data.user?.user_metadata.settings).toEqual({ theme: null })
})

test('a member cannot write fields reserved for trusted servers', async () => {
  const { client, id } = await aMember(backend)
  const headers = bearer((await sessionOf(client)).access_token)
  const response = await call(backend, '/user', {
    method: 'PUT',
    headers,
    body: { app_metadata: { role: 'admin' } },
  })
  expect(response.status).toBe(403)
  expect(response.json.code).toBe('not_admin')
  await call(backend, '/user', {
    method: 'PUT',
    headers,
    body: { role: 'service_role', email_confirm: true, id: anAddress(), banned_until: null },
  })
  const [row] = await sql(backend, 'select role, raw_app_meta_data from auth.users where id = $1', [
    id,
  ])
  expect(row).toMatchObject({ role: 'authenticated', raw_app_meta_data: { provider: 'email' } })
})

test('a new address takes effect once both owners have confirmed', async () => {
  const { client, email: old, id } = await aMember(backend)
  const email = anAddress()
  const { data, error } = await client.auth.updateUser(
    { email },
    { emailRedirectTo: `${backend.url}/profile` },
  )
  expect(error).toBeNull()
  expect(data.user).toMatchObject({ email: old, new_email: email })

  const first = await openLink(latestMail(backend, email).link)
  expect(
    first.location.startsWith(`${backend.url}/profile#message=Confirmation+link+accepted`),
  ).toBe(true)
  expect(await signInFails(old, PASSWORD)).toBeUndefined()
  const second = await openLink(latestMail(backend, old).link)
  expect(second.fragment.get('type')).toBe('email_change')
  const { data: now } = await aClient(backend).auth.getUser(
    second.fragment.get('access_token') ?? '',
  )
  expect(now.user).toMatchObject({ id, email, user_metadata: { email } })
  expect(now.user?.new_email).toBeUndefined()
  expect(now.user?.identities?.[0]?.identity_data?.email).toBe(email)
  expect(await signInFails(old, PASSWORD)).toBe('invalid_credentials')
  expect(await signInFails(email, PASSWORD)).toBeUndefined()
  // The address that no longer opens the account learns of it; nothing is mailed twice.
  const told = backend.mail
    .messages()
    .filter((mail) => mail.subject === 'Your Test email was changed')
  expect(told.map(({ to }) => to)).toEqual([old])
  expect(told[0]?.text).toContain(`with ${email}, no longer with ${old}`)
})

test('one owner cannot change the address alone, even by clicking repeatedly', async () => {
  const { client, email: old } = await aMember(backend)
  const email = anAddress()
  await client.auth.updateUser({ email })
  const { link } = latestMail(backend, email)
  await openLink(link)
  expect((await openLink(link)).fragment.get('error_code')).toBe('otp_expired')
  expect(await signInFails(email, PASSWORD)).toBe('invalid_credentials')
  expect(await signInFails(old, PASSWORD)).toBeUndefined()
})

test('having the links of a new address mailed again, which anybody may, ends none and takes back no confirmation', async () => {
  const { client, email: old } = await aMember(backend)
  const email = anAddress()
  await client.auth.updateUser({ email })
  const [linkToNew, linkToOld] = [email, old].map((to) => latestMail(backend, to).link)
  const again = async () => {
    backend.clock.advance(61_000)
    const { status } = await call(backend, '/resend', {
      body: { type: 'email_change', email: old },
    })
    expect(status).toBe(200)
  }
  await again()
  await openLink(linkToNew ?? '')
  const mailed = backend.mail.messages().filter(({ to }) => to === email).length
  await again()
  // The address that has confirmed gets no further link, or it could change the account alone.
  expect(backend.mail.messages().filter(({ to }) => to === email)).toHaveLength(mailed)
  expect((await openLink(linkToOld ?? '')).fragment.get('type')).toBe('email_change')
  expect(await signInFails(email, PASSWORD)).toBeUndefined()
})

test('nor does having them mailed again tell whether the new address has an account', async () => {
  const { email: taken } = await aMember(backend)
  const { client, email: old } = await aMember(backend)
  await client.auth.updateUser({ email: taken })
  await openLink(latestMail(backend, old).link)
  backend.clock.advance(61_000)
  const mailed = () => backend.mail.messages().filter(({ to }) => to === old).length
  const before = mailed()
  await call(backend, '/resend', { body: { type: 'email_change', email: old } })
  expect(mailed()).toBe(before)
})

test('a change of address can be confirmed with mailed codes and resent', async () => {
  const { client, email: old } = await aMember(backend)
  const email = anAddress()
  await client.auth.updateUser({ email })
  backend.clock.advance(61_000)
  expect((await client.auth.resend({ type: 'email_change', email: old })).error).toBeNull()
  const one = await client.auth.verifyOtp({
    email: old,
    token: latestMail(backend, old).code,
    type: 'email_change',
  })
  expect(one.error).toBeNull()
  expect(one.data.session).toBeNull()
  const two = await client.auth.verifyOtp({
    email,
    token: latestMail(backend, email).code,
    type: 'email_change',
  })
  expect(two.data.user?.email).toBe(email)
})

test('a change to an address that has an account looks like any other; only its owner learns of it', async () => {
  const { client, email: old } = await aMember(backend)
  const { email } = await aMember(backend)
  const { data, error } = await client.auth.updateUser({ email })
  expect(error).toBeNull()
  expect(data.user).toMatchObject({ email: old, new_email: email })
  const mail = latestMail(backend, email)
  expect(mail.subject).toContain('You already have')
  expect(mail.links).toEqual([backend.url])
  const first = await openLink(latestMail(backend, old).link)
  expect(first.fragment.get('message')).toContain('Confirmation link accepted')
  expect(await signInFails(old, PASSWORD)).toBeUndefined()
})

test('a stranger’s sign-up with an address does not keep its owner from changing to it', async () => {
  const { client, id, email: old } = await aMember(backend)
  const email = anAddress()
  await aClient(backend).auth.signUp({ email, password: 'the stranger’s password' })
  const strangers = latestMail(backend, email).link
  await client.auth.updateUser({ email })
  await openLink(latestMail(backend, email).link)
  await openLink(latestMail(backend, old).link)
  const rows = await sql(backend, 'select id from auth.users where email = $1', [email])
  expect(rows).toEqual([{ id }])
  expect((await openLink(strangers)).fragment.get('error_code')).toBe('otp_expired')
  expect(await signInFails(email, PASSWORD)).toBeUndefined()
})

test('an address that was invited stays with its invitation', async () => {
  const { client, email: old } = await aMember(backend)
  const email = anAddress()
  await aServer(backend).auth.admin.inviteUserByEmail(email)
  const invitation = latestMail(backend, email).link
  const { data, error } = await client.auth.updateUser({ email })
  expect(error).toBeNull()
  expect(data.user).toMatchObject({ email: old, new_email: email })
  const mail = latestMail(backend, email)
  expect(mail.subject).toBe('You are already invited to Test')
  expect(mail.links).toEqual([backend.url])
  await openLink(latestMail(backend, old).link)
  expect((await client.auth.getUser()).data.user?.email).toBe(old)
  expect((await openLink(invitation)).fragment.get('type')).toBe('invite')
})

test('a link mailed for one new address confirms no other', async () => {
  const { client, email: old } = await aMember(backend)
  const { email: taken } = await aMember(backend)
  const [own, free] = [anAddress(), anAddress()]
  const changeTo = async (email: string) => {
    expect((await client.auth.updateUser({ email })).error).toBeNull()
    backend.clock.advance(61_000)
  }
  for (const target of [taken, free]) {
    await changeTo(own)
    const { link } = latestMail(backend, own)
    await changeTo(target)
    expect((await openLink(link)).fragment.get('error_code')).toBe('otp_expired')
    const first = await openLink(latestMail(backend, old).link)
    expect(first.fragment.get('message')).toContain('Confirmation link accepted')
    expect((await client.auth.getUser()).data.user?.email).toBe(old)
  }
})

test('a link being opened while the address is changed again confirms neither', async () => {
  const { client, email: old, id } = await aMember(backend)
  const [own, other] = [anAddress(), anAddress()]
  await client.auth.updateUser({ email: own })
  const { link } = latestMail(backend, own)
  const owner = new pg.Client({ connectionString: backend.superuserUrl })
  await owner.connect()
  try {
    // What the request for another address does, while the link waits for the account.
    await owner.query('begin')
    await owner.query('update auth.users set email_change = $2 where id = $1', [id, other])
    const opened = openLink(link)
    await untilBlocked((text) => sql(backend, text))
    await owner.query(
      `update auth.one_time_tokens set token_hash = 'another', relates_to = $2
       where user_id = $1 and token_type = 'email_change_token_new'`,
      [id, other],
    )
    await owner.query('commit')
    expect((await opened).fragment.get('error_code')).toBe('otp_expired')
  } finally {
    await owner.end()
  }
  await openLink(latestMail(backend, old).link)
  expect((await client.auth.getUser()).data.user).toMatchObject({ email: old, new_email: other })
})

test('an address taken in the meantime is rejected on confirmation', async () => {
  const { client, email: old } = await aMember(backend)
  const email = anAddress()
  await client.auth.updateUser({ email })
  await openLink(latestMail(backend, email).link)
  await aMember(backend, email)
  const late = await openLink(latestMail(backend, old).link)
  expect(late.fragment.get('error_code')).toBe('email_exists')
  expect(await signInFails(old, PASSWORD)).toBeUndefined()
})

test('a change of address invalidates links mailed to the old one', async () => {
  const { client, email: old } = await aMember(backend)
  const email = anAddress()
  await client.auth.resetPasswordForEmail(old)
  const recovery = latestMail(backend, old).link
  await client.auth.updateUser({ email })
  await openLink(latestMail(backend, email).link)
  await openLink(latestMail(backend, old).link)
  expect((await openLink(recovery)).fragment.get('error_code')).toBe('otp_expired')
})
