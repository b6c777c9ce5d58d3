import { m } from '#lib/messages/messages.js'
import type { AuditEntry } from '#features/audit-log/audit-queries.ts'
import { actorName } from '#features/audit-log/entry-names.ts'
import { archiveSentence } from './archive-sentence.ts'
import { chatSentence } from './chat-sentence.ts'
import { contentSentence } from './content-sentence.ts'
import { invitationSentence } from './invitation-sentence.ts'
import { memberSentence } from './member-sentence.ts'
import { messageSentence } from './message-sentence.ts'
import { noticeSentence } from './notice-sentence.ts'
import { rulesSentence } from './rules-sentence.ts'
import { settingSentence } from './setting-sentence.ts'
import { supervisionSentence } from './supervision-sentence.ts'

const BY_KIND: Record<string, (entry: AuditEntry) => string | undefined> = {
  member: memberSentence,
  setting: settingSentence,
  content: contentSentence,
  chat: chatSentence,
  notice: noticeSentence,
  message: messageSentence,
  invitation: invitationSentence,
  archive: archiveSentence,
  supervision: supervisionSentence,
  rules: rulesSentence,
}

/** What happened, in one sentence. An action that is newer than this app is said to be one. */
export function sentenceOf(entry: AuditEntry): string {
  return BY_KIND[entry.kind]?.(entry) ?? m.audit_other({ actor: actorName(entry) })
}
