import { m } from '#lib/messages/messages.js'
import type { AuditEntry } from '#features/audit-log/audit-queries.ts'
import { actorName, listPeople } from '#features/audit-log/entry-names.ts'

/** An invitation link, or invitations by mail, which name who was invited. */
export function invitationSentence(entry: AuditEntry): string | undefined {
  const actor = actorName(entry)
  const { invitations = [], count = 1 } = entry.details
  const ids = Array.isArray(invitations) ? invitations : invitations.items
  const invited = { actor, people: listPeople(entry, ids, count) }
  switch (entry.action) {
    case 'link_created':
      return m.audit_link_created({ actor })
    case 'link_taken_back':
      return m.audit_link_taken_back({ actor })
    case 'link_changed':
      return m.audit_link_changed({ actor })
    case 'link_deleted':
      return m.audit_link_deleted({ actor })
    case 'invited':
      return m.audit_invited(invited)
    case 'invited_again':
      return m.audit_invited_again(invited)
    case 'invitation_taken_back':
      return m.audit_invitation_taken_back(invited)
  }
}
