// Every action of docs/rights.md, by its section.
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
import { secondFactorAttempts } from './rights-cases-second-factor.ts'
import type { Attempts } from './rights-cases.ts'

export const SECTIONS: Record<string, Attempts> = {
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
  'Two-step verification': secondFactorAttempts,
}
