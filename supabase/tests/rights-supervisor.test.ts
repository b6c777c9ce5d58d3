// The cells of docs/rights.md once more for a supervisor: what the section Supervision lists, and nothing else that a member
// outside these chats may not do, but for what leaders of both kinds may.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SECTIONS } from './rights-attempts.ts'
import { readRights } from './rights-page.ts'
import { aScene, type Scene } from './rights-scene.ts'
import { aTeam, type Person, type Team } from './team.ts'

const OWN_SECTION = 'Supervision'
/** Leaders remove messages, block nobody, no block holds against them (decision 017), and they see the numbers shown to them. */
const AS_LEADER: Record<string, boolean> = {
  "remove the member's message in the mandatory chat with remove_message": true,
  "remove the member's message in Squad with remove_message": true,
  "see the member's phone, shown to leaders": true,
  'block a stranger with block_member': false,
  'send to a chat of two in which they blocked the other': true,
  'send to a chat of two whose other blocked them': true,
  'open a chat of two with who blocked them, with create_chat': true,
  'find who blocked them with search_members': true,
}
const rights = readRights().filter(
  ({ section, action, role }) => role === 'outsider' && SECTIONS[section]?.[action],
)

let team: Team
let scene: Scene
let supervisor: Person
beforeAll(async () => {
  team = await aTeam()
  scene = await aScene(team)
  supervisor = await team.aMember({ canSupervise: true })
  scene.cast.outsider = supervisor
})
afterAll(() => team?.close())

describe('a supervisor who is in none of the chats', () => {
  for (const { section, action, allowed } of rights) {
    const isAllowed = AS_LEADER[action] ?? (section === OWN_SECTION || allowed)
    test(`${isAllowed ? 'may' : 'may not'} ${action}`, async () => {
      const squad = await scene.aSquad()
      const attempt = SECTIONS[section]?.[action]
      expect(await attempt?.({ me: supervisor, role: 'outsider', scene, squad })).toBe(isAllowed)
    })
  }
})
