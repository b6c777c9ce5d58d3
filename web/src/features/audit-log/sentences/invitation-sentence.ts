import { m } from '#lib/messages/messages.js'
import type { AuditEntry } from '#features/audit-log/audit-queries.ts'
import { actorName, listPeople, nameIn } from '#features/audit-log/entry-names.ts'

/** An invitation link, or invitations by mail, which name who was invited. */
export function invitationSentence(entry: AuditEntry): string | undefined {
  const actor = actorName(entry)
  const { invited_by, count = 1 } = entry.details
  const ids = entry.people.filter((id) => id !== invited_by)
  const people = listPeople(entry, ids, count)
  const invited = { actor, people, count }
  switch (entry.action) {
    case 'link_created':
      return m.audit_link_created({ actor })
    case 'link_taken_back':
      return takenBackLink(entry, actor)
    case 'link_changed':
      return m.audit_link_changed({ actor })
    case 'link_deleted':
      return m.audit_link_deleted({ actor })
    case 'invited':
      return m.audit_invited(invited)
    case 'invited_again':
      return m.audit_invited_again(invited)
    case 'invitation_taken_back':
      return takenBackInvitation(entry, invited)
  }
}

/** Of somebody else, as when their rights end. */
function takenBackLink(entry: AuditEntry, actor: string) {
  const [maker] = entry.people
  if (!maker || maker === entry.actor_id) return m.audit_link_taken_back({ actor })
  return m.audit_link_of_taken_back({ actor, maker: nameIn(entry, maker) })
}

function takenBackInvitation(
  entry: AuditEntry,
  invited: { actor: string; people: string; count: number },
) {
  const { invited_by } = entry.details
  if (!invited_by) return m.audit_invitation_taken_back(invited)
  return m.audit_invitation_by_taken_back({ ...invited, inviter: nameIn(entry, invited_by) })
}
