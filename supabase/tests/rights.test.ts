import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SECTIONS } from './rights-attempts.ts'
import { readRights } from './rights-page.ts'
import { aScene, type Scene } from './rights-scene.ts'
import { aTeam, type Team } from './team.ts'

const rights = readRights()

let team: Team
let scene: Scene

beforeAll(async () => {
  team = await aTeam()
  scene = await aScene(team)
})
afterAll(() => team?.close())

test('docs/rights.md and the cases list the same actions', () => {
  const written = [...new Set(rights.map((right) => `${right.section}: ${right.action}`))]
  const tried = Object.entries(SECTIONS).flatMap(([section, attempts]) =>
    Object.keys(attempts).map((action) => `${section}: ${action}`),
  )
  expect(tried.sort()).toEqual(written.sort())
})

for (const [section, attempts] of Object.entries(SECTIONS)) {
  describe(section, () => {
    for (const right of rights.filter((each) => each.section === section)) {
      const attempt = attempts[right.action]
      const verb = right.allowed ? 'may' : 'may not'
      test.skipIf(!attempt)(`${right.role} ${verb} ${right.action}`, async () => {
        const squad = await scene.aSquad()
        const me = scene.cast[right.role]
        expect(await attempt?.({ me, role: right.role, scene, squad })).toBe(right.allowed)
      })
    }
  })
}
