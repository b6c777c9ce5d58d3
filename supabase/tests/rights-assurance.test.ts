// The cells of docs/rights.md once more, for sessions that have and have not shown a second factor: over all tables,
// verbs, calls, topics and files.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  adminsNeedFactor,
  aDevice,
  aFactor,
  type Assurance,
  type Device,
} from './assurance-sessions.ts'
import { SECTIONS } from './rights-attempts.ts'
import { readRights } from './rights-page.ts'
import { aScene, type Role, type Scene } from './rights-scene.ts'
import { aTeam, type Team } from './team.ts'

/** Its own cases make their own sessions. */
const SECTION_OF_ITS_OWN = 'Two-step verification'
/** Public by address, without any right. */
const PUBLIC = ['see an image by address']
/** An admin is no stranger whom members block, whatever the session has shown. */
const HELD_BY_ROLE = ['Blocks']

const rights = readRights().filter(
  ({ section, action }) => section !== SECTION_OF_ITS_OWN && SECTIONS[section]?.[action],
)
const cell = (section: string, action: string, role: Role) =>
  rights.find((each) => each.section === section && each.action === action && each.role === role)
    ?.allowed

type Who = {
  who: string
  role: Role
  aal: Assurance
  hasFactor: boolean
  adminsNeed: boolean
  /** The column whose rights hold; none, where everything is refused. */
  as: Role | null
}
const EVERYBODY: Who[] = [
  {
    who: 'a member in an aal1 session, with a second factor,',
    role: 'member',
    aal: 'aal1',
    hasFactor: true,
    adminsNeed: false,
    as: null,
  },
  {
    who: 'an admin in an aal1 session, with a second factor,',
    role: 'admin',
    aal: 'aal1',
    hasFactor: true,
    adminsNeed: true,
    as: null,
  },
  {
    who: 'an admin in an aal1 session, where admins need a second factor,',
    role: 'admin',
    aal: 'aal1',
    hasFactor: false,
    adminsNeed: true,
    as: 'outsider',
  },
  {
    who: 'an admin in an aal2 session, where admins need a second factor,',
    role: 'admin',
    aal: 'aal2',
    hasFactor: true,
    adminsNeed: true,
    as: 'admin',
  },
]

describe.each(EVERYBODY)('$who', ({ role, aal, hasFactor, adminsNeed, as }) => {
  let team: Team
  let scene: Scene
  let device: Device

  beforeAll(async () => {
    team = await aTeam()
    scene = await aScene(team)
    if (hasFactor) await aFactor(team, scene.cast[role])
    await adminsNeedFactor(team, adminsNeed)
    device = await aDevice(team, scene.cast[role], aal)
  })
  afterAll(async () => {
    await device?.client.removeAllChannels()
    await device?.client.realtime.disconnect()
    await team?.close()
  })

  for (const { section, action } of rights.filter((right) => right.role === role)) {
    const column = as !== null && HELD_BY_ROLE.includes(section) ? role : as
    const isAllowed = PUBLIC.includes(action) || (column !== null && cell(section, action, column))
    test(`${isAllowed ? 'may' : 'may not'} ${action}`, async () => {
      const squad = await scene.aSquad()
      const attempt = SECTIONS[section]?.[action]
      expect(await attempt?.({ me: device, role, scene, squad })).toBe(isAllowed)
    })
  }
})
