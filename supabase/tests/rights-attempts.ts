// Every action of docs/rights.md, by its section.
import { auditLogAttempts } from './rights-cases-audit-log.ts'
import { archiveAttempts } from './rights-cases-archive.ts'
import { searchAttempts } from './rights-cases-search.ts'
import { blockAttempts } from './rights-cases-blocks.ts'
import { callAttempts } from './rights-cases-calls.ts'
import { chatExtraAttempts } from './rights-cases-chat-extras.ts'
import { chatAttempts, participantAttempts } from './rights-cases-chats.ts'
import { contentAttempts } from './rights-cases-content.ts'
import { deviceAttempts } from './rights-cases-devices.ts'
import { imageAttempts } from './rights-cases-images.ts'
import { invitationAttempts } from './rights-cases-invitations.ts'
import { backupAttempts } from './rights-cases-backups.ts'
import { leadingAttempts } from './rights-cases-leading.ts'
import { liveTopicAttempts } from './rights-cases-live-topics.ts'
import { messageAttempts } from './rights-cases-messages.ts'
import { noticeAttempts } from './rights-cases-notices.ts'
import { ownAttempts } from './rights-cases-own.ts'
import { peopleAttempts } from './rights-cases-people.ts'
import { registrationAttempts } from './rights-cases-registration.ts'
import { reportAttempts } from './rights-cases-reports.ts'
import { ruleAttempts } from './rights-cases-rules.ts'
import { secondFactorAttempts } from './rights-cases-second-factor.ts'
import { supervisionAttempts } from './rights-cases-supervision.ts'
import { threadAttempts } from './rights-cases-threads.ts'
import type { Attempts } from './rights-cases.ts'

export const SECTIONS: Record<string, Attempts> = {
  People: peopleAttempts,
  Content: contentAttempts,
  Chats: chatAttempts,
  Participants: participantAttempts,
  Messages: messageAttempts,
  Calls: callAttempts,
  'Chats, further': chatExtraAttempts,
  Threads: threadAttempts,
  "A member's own": ownAttempts,
  Notices: noticeAttempts,
  Devices: deviceAttempts,
  Invitations: invitationAttempts,
  'Audit log': auditLogAttempts,
  Registration: registrationAttempts,
  Archive: archiveAttempts,
  Reports: reportAttempts,
  Blocks: blockAttempts,
  Search: searchAttempts,
  'House rules': ruleAttempts,
  Images: imageAttempts,
  'Set-up and dashboard': leadingAttempts,
  'Backups and the system': backupAttempts,
  Supervision: supervisionAttempts,
  'Live topics': liveTopicAttempts,
  'Two-step verification': secondFactorAttempts,
}
