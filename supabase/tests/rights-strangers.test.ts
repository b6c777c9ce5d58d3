// The cells of docs/rights.md once more, for people who are signed in and not on the team: over all tables, verbs, calls,
// topics and files. Their tokens name no session, so that nothing but the policies can refuse them.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newcomerScene } from './newcomer-scene.ts'
import { SECTIONS } from './rights-attempts.ts'
import { aScene, type Role, type Scene } from './rights-scene.ts'
import { aTeam, type Person, type Team } from './team.ts'

const STRANGERS = ['none', 'waiting', 'declined', 'suspended', 'removed'] as const
type Stranger = (typeof STRANGERS)[number]
/** In whose place they try; somebody new has no place of their own. */
const PLACES: Record<Stranger, Role> = {
  none: 'outsider',
  waiting: 'outsider',
  declined: 'outsider',
  suspended: 'member',
  removed: 'admin',
}

const allowed = readAllowed()
const actions = Object.values(SECTIONS).flatMap((attempts) => Object.entries(attempts))

// A suspension has ended the session in which a code is made, and taken the devices away.
const IMPOSSIBLE: Partial<Record<Stranger, string[]>> = {
  suspended: [
    "get in with the member's recovery code and use_recovery_code",
    "delete the member's device",
    "take the member's device away with remove_push_device",
  ],
}

describe.each(STRANGERS)('%s', (stranger) => {
  const role = PLACES[stranger]
  const isNew = role === 'outsider'
  let team: Team
  let scene: Scene
  let me: Person

  beforeAll(async () => {
    team = await aTeam()
    const whole = await aScene(team)
    const newcomers = newcomerScene(team, whole.cast.admin)
    await newcomers.rule(stranger === 'none' ? 'invitation' : 'approval')
    me = isNew ? await newcomers.anAccount() : whole.cast[role]
    // Taking back that they were a member for the set-up would end the session that they try in.
    if (stranger === 'waiting')
      await team.sql('alter table private.members disable trigger follow_status')
    // Set-up needs a member: to be in a chat, or to upload an image.
    const sql: Team['sql'] = (...query) => asMember(() => team.sql(...query))
    scene = {
      ...whole,
      team: { ...team, sql },
      cast: { ...whole.cast },
      aSquad: () => asMember(() => whole.aSquad()),
    }
    if (!isNew) {
      const client = await newcomers.aClient(me, (input, init) =>
        asMember(() => fetch(input as string, init)),
      )
      scene.cast[role] = { ...me, client }
    }
  })
  afterAll(async () => {
    await me?.client.removeAllChannels()
    await me?.client.realtime.disconnect()
    await team?.close()
  })

  const become = (status: string) =>
    stranger === 'none'
      ? undefined
      : team.sql(
          `update private.members set status = $2, role = case when $2 = 'active' then $3 else 'user' end
           where id = $1`,
          [me.id, status, role === 'admin' ? 'admin' : 'user'],
        )

  async function asMember<Result>(work: () => PromiseLike<Result>): Promise<Result> {
    await become('active')
    try {
      return await work()
    } finally {
      await become(stranger)
    }
  }

  test.each(actions.filter(([action]) => !IMPOSSIBLE[stranger]?.includes(action)))(
    '%s',
    async (action, attempt) => {
      const squad = await scene.aSquad()
      expect(await attempt({ me, role, scene, squad })).toBe(allowed[stranger].has(action))
    },
  )
})

test('the page names actions that exist', () => {
  const known = new Set(actions.map(([action]) => action))
  expect(
    STRANGERS.flatMap((each) => [...allowed[each]]).filter((each) => !known.has(each)),
  ).toEqual([])
})

/** The table of what each of them may. */
function readAllowed(): Record<Stranger, Set<string>> {
  const page = readFileSync(new URL('../../docs/rights.md', import.meta.url), 'utf8')
  const section = page.split('## Who is not on the team')[1]?.split('\n## ')[0] ?? ''
  const rows = section
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
  expect(rows[0]).toEqual(['Call', ...STRANGERS])
  const may = (place: number) =>
    new Set(
      rows.slice(2).flatMap(([action = '', ...cells]) => (cells[place] === '✓' ? [action] : [])),
    )
  return { none: may(0), waiting: may(1), declined: may(2), suspended: may(3), removed: may(4) }
}
