import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aClient, aFactor, aSession } from './assurance-sessions.ts'
import { aTeam, type Person, type Team } from './team.ts'

let team: Team
beforeAll(async () => {
  team = await aTeam()
})
afterAll(() => team.close())

const MINUTE_MS = 60_000

/** An admin of whose sign-in so many minutes have passed, as far as the token says. */
async function anAdmin(minutes: number): Promise<Person> {
  const admin = await team.aMember({ isAdmin: true })
  const sessionId = await aSession(team, admin, 'aal1')
  const provedAt = team.backend.clock.now() - minutes * MINUTE_MS
  const claimed = { id: admin.id, sessionId, aal: 'aal1', provedAt } as const
  return { ...admin, client: await aClient(team.backend, claimed) }
}

type Attempt = (admin: Person, member: Person) => PromiseLike<{ error: unknown; status: number }>

const ATTEMPTS: Record<string, Attempt> = {
  'makes an admin': ({ client }, { id }) =>
    client.from('users').update({ role: 'admin' }).eq('id', id),
  'suspends a member': ({ client }, { id }) =>
    client.rpc('set_member_status', { member_id: id, status: 'suspended', reason: 'A test' }),
  'makes a supervisor': ({ client }, { id }) =>
    client.rpc('set_supervisor', { member_id: id, can_supervise: true }),
  'resets two-step verification': ({ client }, { id }) =>
    client.rpc('reset_second_factor', { member_id: id, reason: 'A lost phone' }),
  'makes an invitation link': ({ client }) =>
    client
      .from('join_links')
      .insert({ expires_at: new Date(Date.now() + MINUTE_MS).toISOString() }),
  'sees the code in an invitation link': async ({ client }) => {
    const { id } = await team.aMember({ isAdmin: true })
    const [link] = await team.sql<{ id: string }>(
      'insert into public.join_links (created_by) values ($1) returning id',
      [id],
    )
    return client.rpc('show_join_link', { link_id: link!.id })
  },
  'invites by mail': ({ client }, { id }) =>
    client.rpc('plan_invitations', { people: [{ email: `guest-of-${id}@example.com` }] }),
  'opens the team to everybody': ({ client }) =>
    client.from('team_settings').update({ registration: 'open' }).eq('id', true),
  'lets addresses of a domain in': ({ client }) =>
    client.from('team_settings').update({ email_domains: [] }).eq('id', true),
  'gives up the rule for admins': ({ client }) =>
    client.from('team_settings').update({ admins_need_second_factor: false }).eq('id', true),
  'says who brought a member in': ({ client, id }, member) =>
    client.rpc('set_sponsor', { member_id: member.id, sponsor_id: id }),
  'changes what everybody agrees to': ({ client }, { id }) =>
    client.rpc('save_house_rules', { body: `Be kind to ${id}`, contact: 'house@example.com' }),
  'shortens how long the archive keeps records': ({ client }) =>
    client.rpc('set_archive_retention', { category: 'message', years: 3 }),
}

describe.each(Object.entries(ATTEMPTS))('what outlasts a token: an admin %s', (_what, attempt) => {
  test('with a sign-in of the last 15 minutes, not with an older one', async () => {
    const member = await team.aMember()
    await aFactor(team, member)
    const late = await attempt(await anAdmin(15), member)
    expect(late).toMatchObject({
      status: 428,
      error: { code: 'PT428', message: 'Confirm that it is you first' },
    })
    const inTime = await attempt(await anAdmin(14), member)
    expect(inTime.error).toBeNull()
    expect(inTime.status).toBeLessThan(300)
  })
})

test('a hold is lifted with a sign-in of the last 15 minutes only', async () => {
  const member = await team.aMember()
  const late = await anAdmin(15)
  const { client } = await anAdmin(14)
  const placing = { member_id: member.id, reason: 'A case' }
  expect((await late.client.rpc('place_legal_hold', placing)).status).toBe(428)
  const hold = await client.rpc('place_legal_hold', placing)
  expect(hold.error).toBeNull()
  const lifting = { hold_id: hold.data as string, reason: 'The case is closed' }
  expect((await late.client.rpc('lift_legal_hold', lifting)).status).toBe(428)
  expect((await client.rpc('lift_legal_hold', lifting)).error).toBeNull()
})

test('a supervisor turns no oversight off with an older sign-in', async () => {
  const calls = (client: Person['client']) => [
    client.rpc('set_review_sampling', { percent: 5 }),
    client.rpc('save_lexicon_entry', {
      entry_id: randomUUID(),
      language: 'en',
      category: 'guarantee',
      phrase: 'this always wins',
    }),
  ]
  const statuses = async (minutes: number) => {
    const { id, client } = await anAdmin(minutes)
    await team.sql('update private.members set can_supervise = true where id = $1', [id])
    return (await Promise.all(calls(client))).map(({ status, error }) => [status, error?.code])
  }
  expect(await statuses(15)).toEqual([
    [428, 'PT428'],
    [428, 'PT428'],
  ])
  expect(await statuses(14)).toEqual([
    [204, undefined],
    [204, undefined],
  ])
})

test('what an old sign-in may still do: rename, mute, and take invitations back', async () => {
  const member = await team.aMember()
  const late = await anAdmin(60)
  const changes = [
    late.client.from('users').update({ first_name: 'Kim' }).eq('id', late.id),
    late.client.from('users').update({ can_send_messages: false }).eq('id', member.id),
    late.client.rpc('take_back_join_link', { link_id: member.id }),
    late.client.from('team_settings').update({ seen_by_enabled: true }).eq('id', true),
  ]
  for (const { error } of await Promise.all(changes)) expect(error).toBeNull()
})

test('somebody who is no admin is refused as before, and not asked for a password', async () => {
  const stranger = await team.aMember()
  const member = await team.aMember()
  for (const [what, attempt] of Object.entries(ATTEMPTS)) {
    const { status } = await attempt(stranger, member)
    expect(status, what).not.toBe(428)
  }
})
