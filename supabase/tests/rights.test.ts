import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callAttempts } from './rights-cases-calls.ts'
import { chatExtraAttempts } from './rights-cases-chat-extras.ts'
import { chatAttempts, participantAttempts } from './rights-cases-chats.ts'
import { contentAttempts } from './rights-cases-content.ts'
import { deviceAttempts } from './rights-cases-devices.ts'
import { imageAttempts } from './rights-cases-images.ts'
import { invitationAttempts } from './rights-cases-invitations.ts'
import { liveTopicAttempts } from './rights-cases-live-topics.ts'
import { messageAttempts } from './rights-cases-messages.ts'
import { noticeAttempts } from './rights-cases-notices.ts'
import { ownAttempts } from './rights-cases-own.ts'
import { peopleAttempts } from './rights-cases-people.ts'
import type { Attempts } from './rights-cases.ts'
import { readRights } from './rights-page.ts'
import { aScene, type Scene } from './rights-scene.ts'
import { aTeam, type Team } from './team.ts'

const SECTIONS: Record<string, Attempts> = {
  People: peopleAttempts,
  Content: contentAttempts,
  Chats: chatAttempts,
  Participants: participantAttempts,
  Messages: messageAttempts,
  Calls: callAttempts,
  'Chats, further': chatExtraAttempts,
  "A member's own": ownAttempts,
  Notices: noticeAttempts,
  Devices: deviceAttempts,
  Invitations: invitationAttempts,
  Images: imageAttempts,
  'Live topics': liveTopicAttempts,
}
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
