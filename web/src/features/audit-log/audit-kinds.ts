import {
  Archive,
  Bell,
  Eye,
  GraduationCap,
  MessagesSquare,
  MessageSquareX,
  Scale,
  Settings2,
  Ticket,
  Users,
  type LucideIcon,
} from 'lucide-react'
import { m } from '#lib/messages/messages.js'

/** What an entry is about, as the database says it. */
export const AUDIT_KINDS = [
  'member',
  'setting',
  'content',
  'chat',
  'notice',
  'message',
  'invitation',
  'archive',
  'supervision',
  'rules',
] as const
export type AuditKind = (typeof AUDIT_KINDS)[number]

export const KIND_LOOKS: Record<AuditKind, { name: () => string; Picture: LucideIcon }> = {
  member: { name: m.audit_kind_member, Picture: Users },
  setting: { name: m.audit_kind_setting, Picture: Settings2 },
  content: { name: m.audit_kind_content, Picture: GraduationCap },
  chat: { name: m.audit_kind_chat, Picture: MessagesSquare },
  notice: { name: m.audit_kind_notice, Picture: Bell },
  message: { name: m.audit_kind_message, Picture: MessageSquareX },
  invitation: { name: m.audit_kind_invitation, Picture: Ticket },
  archive: { name: m.audit_kind_archive, Picture: Archive },
  supervision: { name: m.audit_kind_supervision, Picture: Eye },
  rules: { name: m.audit_kind_rules, Picture: Scale },
}
