// Who supervises: given by admins, to nobody by themselves while another could, recorded, and seen by all.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { adminsNeedFactor, aDevice, aFactor } from './assurance-sessions.ts'
import { aTeam, call, type Person, type Team } from './team.ts'

let team: Team
let ada: Person
let bo: Person
let mel: Person
beforeAll(async () => {
  team = await aTeam()
  ada = await team.aMember({ firstName: 'Ada', isAdmin: true })
  bo = await team.aMember({ firstName: 'Bo', isAdmin: true })
  mel = await team.aMember({ firstName: 'Mel' })
})
afterAll(() => team?.close())

const set = (member: Person, can_supervise: boolean, by = ada) =>
  call(by, 'set_supervisor', { member_id: member.id, can_supervise })
const supervises = async (person: Person) => (await call(person, 'acts_as_supervisor')).data
const names = async () =>
  ((await call<{ first_name: string }[]>(mel, 'supervisors')).data ?? []).map(
    (one) => one.first_name,
  )

test('an admin gives it and takes it back; it is recorded and everybody sees it', async () => {
  expect((await set(mel, true)).error).toBeNull()
  expect((await set(mel, true)).error).toBeNull()
  expect(await supervises(mel)).toBe(true)
  expect(await names()).toEqual(['Mel'])
  const { data } = await bo.client.from('users').select('can_supervise').eq('id', mel.id).single()
  expect(data).toEqual({ can_supervise: true })

  expect((await set(mel, false)).error).toBeNull()
  expect(await supervises(mel)).toBe(false)
  expect(await names()).toEqual([])
  const entries = await team.sql(
    `select actor_id, after from private.audit_log where object_id = $1 and action = 'changed' order by id`,
    [mel.id],
  )
  expect(entries).toEqual([
    { actor_id: ada.id, after: { can_supervise: true } },
    { actor_id: ada.id, after: { can_supervise: false } },
  ])
  const records = await team.sql(
    `select actor_name from archive.records where subject_id = $1 and kind = 'audit.member'
     and content -> 'after' ->> 'can_supervise' is not null`,
    [mel.id],
  )
  expect(records).toEqual([{ actor_name: 'Ada Doe' }, { actor_name: 'Ada Doe' }])
})

test('an admin is no supervisor, and a supervisor no admin', async () => {
  await set(mel, true)
  expect(await supervises(ada)).toBe(false)
  expect((await call(mel, 'acts_as_admin')).data).toBe(false)
  await set(mel, false)
})

test('no admin gives it to themselves while there is another; the only one may, and it is recorded', async () => {
  expect((await set(ada, true)).error?.message).toBe('Ask another admin to do this')
  expect((await set(ada, true, bo)).error).toBeNull()
  expect((await set(ada, false)).error).toBeNull()

  await team.sql("update private.members set role = 'user' where role = 'admin' and id <> $1", [
    ada.id,
  ])
  expect((await set(ada, true)).error).toBeNull()
  const [entry] = await team.sql(
    'select actor_id, object_id, after from private.audit_log order by id desc limit 1',
  )
  expect(entry).toEqual({ actor_id: ada.id, object_id: ada.id, after: { can_supervise: true } })
  await set(ada, false)
  await team.sql("update private.members set role = 'admin' where id = $1", [bo.id])
})

test('who took the other admin’s role away is not the only one for it', async () => {
  const role = (value: string) =>
    ada.client.from('users').update({ role: value }).eq('id', bo.id).throwOnError()
  await role('user')
  expect((await set(ada, true)).error?.message).toBe('Ask another admin to do this')
  await role('admin')
  expect(await supervises(ada)).toBe(false)
})

test('who is suspended does not supervise meanwhile; who is removed no longer', async () => {
  const rep = await team.aMember({ canSupervise: true })
  const status = (to: string) =>
    call(ada, 'set_member_status', { member_id: rep.id, status: to, reason: 'Left' })
  await status('suspended')
  expect(await supervises(rep)).toBe(false)
  expect((await set(mel, true)).error).toBeNull()
  expect(await names()).toEqual(['Mel'])
  await set(mel, false)
  await status('active')
  expect(await supervises(rep)).toBe(true)
  await status('removed')
  await status('active')
  expect(await supervises(rep)).toBe(false)
})

test('somebody who is not on the team is not made a supervisor', async () => {
  const gone = await team.aMember()
  await call(ada, 'set_member_status', { member_id: gone.id, status: 'suspended', reason: 'Left' })
  expect((await set(gone, true)).error?.message).toBe('Choose somebody who is on the team')
})

test('where admins need a second factor, supervising needs one too', async () => {
  const rep = await team.aMember({ canSupervise: true })
  await aFactor(team, rep)
  await adminsNeedFactor(team, true)
  const device = await aDevice(team, rep, 'aal2')
  expect(await supervises(rep)).toBe(false)
  expect((await call(device, 'acts_as_supervisor')).data).toBe(true)
  await device.client.realtime.disconnect()
  await adminsNeedFactor(team, false)
})
