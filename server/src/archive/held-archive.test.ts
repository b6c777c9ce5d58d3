// Legal holds that a superuser changes behind the archive's back, and verifying names them.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { anInstallation, type Installation } from '../../testing/an-installation.ts'
import { archiveCommand, INTACT, NOT_INTACT } from './archive-command.ts'

let team: Installation
let held: { member: string; chat: string }

beforeAll(async () => {
  team = await anInstallation()
  const { access_token: token } = await team.signIn('dana.reyes@example.com')
  const rpc = async (name: string, body: object): Promise<string> => {
    const response = await team.send(`/rest/v1/rpc/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ reason: 'Lawsuit', ...body }),
      token,
    })
    if (!response.ok) throw new Error(await response.text())
    return (await response.text()).replaceAll('"', '')
  }
  const [ids] = await team.sql<{ member: string; chat: string }>(
    `select id as member, private.mandatory_chat_id() as chat from private.members where email like 'maya%'`,
  )
  held = {
    member: await rpc('place_legal_hold', { member_id: ids?.member }),
    chat: await rpc('place_legal_hold', { chat_id: ids?.chat }),
  }
  await rpc('lift_legal_hold', { hold_id: held.chat })
  await team.sql('create table public.kept_holds as table archive.holds')
}, 90_000)
afterAll(() => team?.close())
afterEach(() =>
  team.sql(
    `begin; delete from archive.holds; insert into archive.holds table public.kept_holds; commit`,
  ),
)

async function verify() {
  const lines: string[] = []
  const exitCode = await archiveCommand(['verify'], {
    settings: team.settings,
    print: (line) => void lines.push(line),
    signal: new AbortController().signal,
  })
  return { exitCode, holds: lines.filter((line) => line.startsWith('legal hold')) }
}

test('holds that admins placed and lifted are as archived', async () => {
  expect(await verify()).toEqual({ exitCode: INTACT, holds: [] })
})

test.each([
  ['delete from archive.holds where id = $1', 'member', 'was removed'],
  [
    'update archive.holds set lifted_at = now() where id = $1',
    'member',
    'was lifted without a record',
  ],
  [
    'update archive.holds set lifted_at = null where id = $1',
    'chat',
    'lasts, and was recorded as lifted',
  ],
  [
    `update archive.holds set member_id = (select id from private.members where email like 'ben%') where id = $1`,
    'member',
    'is on something else than was recorded',
  ],
] as const)('%s is named', async (statement, which, how) => {
  await team.sql(statement, [held[which]])
  expect(await verify()).toEqual({
    exitCode: NOT_INTACT,
    holds: [`legal hold ${held[which]} ${how}`],
  })
})

test('a hold that was placed without a record is named', async () => {
  const [hold] = await team.sql<{ id: string }>(
    `insert into archive.holds (id, chat_id, reason) values (gen_random_uuid(), gen_random_uuid(), 'Mine') returning id`,
  )
  expect((await verify()).holds).toEqual([`legal hold ${hold?.id} was placed without a record`])
})
