// Nobody changes the archive: not a member, not an admin, not the secret key, not the owner of its tables.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sealAll } from './archive-records.ts'
import { aTeam, type Person, type Team } from './team.ts'

let team: Team
let ada: Person
let maya: Person

beforeAll(async () => {
  team = await aTeam()
  ada = await team.aMember({ firstName: 'Ada', isAdmin: true })
  maya = await team.aMember({ firstName: 'Maya', lastName: 'Ortiz' })
})
afterAll(() => team?.close())

async function send(person: Person, message: string) {
  const id = randomUUID()
  await person.client
    .from('chat_messages')
    .insert({ id, chat_id: team.mandatoryChatId, sender_id: person.id, message })
    .throwOnError()
  return id
}

const attempts = [
  "update archive.records set content = '{}'",
  'delete from archive.records',
  'truncate archive.records',
  "update archive.seals set hash = '\\x00'",
  'update archive.seals set leaves = null',
  'delete from archive.seals',
  'truncate archive.seals',
]

test.each(attempts)('its owner cannot: %s', async (attempt) => {
  await send(maya, 'Something sealed')
  await sealAll(team)
  await expect(team.sql(attempt)).rejects.toThrow('The archive can only be added to')
})

test.each([
  ...attempts,
  'select from archive.records',
  "insert into archive.records (kind, actor_role, audience, content) values ('message.sent', 'postgres', 'chat', '{}')",
  "select archive.record('message.sent', '{}')",
  'select archive.begin()',
])('neither an admin nor the secret key can: %s', async (attempt) => {
  for (const role of ['anon', 'authenticated', 'service_role'] as const) {
    const claimsText = JSON.stringify({ role, sub: ada.id })
    await expect(
      team.backend.database.runAs({ role, claimsText }, { text: attempt }),
    ).rejects.toMatchObject({ code: '42501' })
  }
})

test('its owner cannot choose a record’s number', async () => {
  await expect(
    team.sql(
      `insert into archive.records (seq, kind, actor_role, audience, content)
       values (1, 'message.sent', 'postgres', 'chat', '{}')`,
    ),
  ).rejects.toMatchObject({ code: '428C9' })
})

test('what expired yesterday was sealed long ago, or it stays', async () => {
  // Backdated and sealed just now: no seal of that age vouches for it.
  const id = await send(maya, 'Backdated')
  await team.sql('alter table archive.records disable trigger refuse_update')
  await team.sql(
    "update archive.records set recorded_at = recorded_at - interval '9 years' where subject_id = $1",
    [id],
  )
  await team.sql('alter table archive.records enable trigger refuse_update')
  await sealAll(team)
  await expect(team.sql('delete from archive.records where subject_id = $1', [id])).rejects.toThrow(
    'The archive can only be added to',
  )
})
