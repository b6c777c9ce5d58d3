import { PRODUCT_NAME } from '#domain/product.ts'
import { m } from '#lib/messages/messages.js'

/** Columns of the recorded tables, as their screens call them. */
const FIELDS: Record<string, () => string> = {
  role: m.audit_field_role,
  status: m.audit_field_status,
  sponsor_id: m.audit_field_sponsor,
  rally_enabled: () => m.admin_toggle_product({ product: PRODUCT_NAME }),
  can_create_chats: m.admin_toggle_create,
  can_send_messages: m.admin_toggle_send,
  can_supervise: m.audit_field_supervises,
  time_zone: m.audit_field_time_zone,
  seen_by_enabled: m.audit_field_seen_by,
  app_errors_enabled: m.audit_field_app_errors,
  admins_need_second_factor: m.audit_field_second_factor,
  vice_presidents: m.audit_field_vice_presidents,
  registration: m.audit_field_registration,
  email_domains: m.audit_field_domains,
  years: m.audit_field_years,
  contact: m.audit_field_contact,
  version: m.audit_field_version,
  phrase: m.audit_field_phrase,
  near: m.audit_field_near,
  within: m.audit_field_within,
  exceptions: m.audit_field_exceptions,
  language: m.audit_field_language,
  percent: m.audit_field_percent,
  title: m.audit_field_title,
  description: m.audit_field_description,
  url: m.audit_field_url,
  link: m.audit_field_url,
  image_url: m.audit_field_image,
  image_alt: m.audit_field_image_alt,
  category: m.audit_field_category,
  sort_order: m.audit_field_sort_order,
  order: m.audit_field_order,
  day_of_week: m.audit_field_day,
  start_time: m.audit_field_start,
  end_time: m.audit_field_end,
  meeting_id: m.audit_field_meeting_id,
  meeting_password: m.audit_field_meeting_password,
  name: m.audit_field_name,
  body: m.audit_field_body,
  audience: m.audit_field_audience,
  audience_role: m.audit_field_audience_role,
  audience_members: m.audit_field_audience_members,
  audience_chat_id: m.audit_field_audience_chat,
  is_urgent: m.audit_field_urgent,
  must_acknowledge: m.audit_field_acknowledge,
  scheduled_for: m.audit_field_scheduled,
  cancelled_at: m.audit_field_withdrawn,
  expires_at: m.audit_field_expires,
  revoked_at: m.audit_field_revoked,
}

/** The columns that mean something else in a group or a notice than in content. */
const SPECIAL: Record<string, Record<string, () => string>> = {
  content: { is_active: m.audit_field_active },
  supervision: { is_active: m.audit_field_lexicon_active },
  chat: { is_active: m.audit_field_chat_open, created_by: m.audit_field_creator },
  notice: { created_by: m.audit_field_author },
}

/** A column that is newer than this list is shown by its own name. */
export function fieldName(kind: string, column: string): string {
  return (SPECIAL[kind]?.[column] ?? FIELDS[column])?.() ?? column.replaceAll('_', ' ')
}
