import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Attempts } from './attempt.ts'
import { callAttempts } from './attempt-calls.ts'
import { chatExtraAttempts } from './attempt-chat-extras.ts'
import { chatAttempts, participantAttempts } from './attempt-chats.ts'
import { contentAttempts } from './attempt-content.ts'
import { deviceAttempts } from './attempt-devices.ts'
import { imageAttempts } from './attempt-images.ts'
import { invitationAttempts } from './attempt-invitations.ts'
import { liveTopicAttempts } from './attempt-live-topics.ts'
import { messageAttempts } from './attempt-messages.ts'
import { noticeAttempts } from './attempt-notices.ts'
import { ownAttempts } from './attempt-own.ts'
import { peopleAttempts } from './attempt-people.ts'
import { readRights } from './rights-page.ts'
import { aScene, type Scene } from './squad.ts'
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

test('docs/rights.md and the attempts speak of the same actions', () => {
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
