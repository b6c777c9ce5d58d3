import { m } from '#lib/messages/messages.js'

/**
 * Server messages that members may see, keyed by their English text; the catalogue holds the translations.
 * server-words.test.ts compares this list with what supabase/schemas raises.
 */
const SAID = [
  m.server_invalid_credentials,
  m.server_email_not_confirmed,
  m.server_verify_first,
  m.server_password_required,
  m.server_same_password,
  m.server_current_password,
  m.server_email_exists,
  m.server_user_exists,
  m.server_email_invalid,
  m.server_email_required,
  m.server_email_too_long,
  m.server_link_expired,
  m.server_session_ended,
  m.server_session_over,
  m.server_banned,
  m.server_sign_up_closed,
  m.server_too_many,
  m.server_too_many_mails,
  m.server_too_large,
  m.server_store_away,
  m.server_upload_ended,
  m.server_last_admin,
  m.server_former_no_permissions,
  m.server_former_cannot_join,
  m.server_own_profile_only,
  m.server_admins_change_roles,
  m.server_admins_change_order,
  m.server_admins_end_membership,
  m.server_another_admin,
  m.server_membership_reason,
  m.server_member_gone,
  m.server_member_statuses,
  m.server_admins_see,
  m.server_admins_see_progress,
  m.server_admins_invite,
  m.server_admins_remind,
  m.server_sign_in_to_invite,
  m.server_invite_missing,
  m.server_invite_failed,
  m.server_profile_without_account,
  m.server_confirm_email,
  m.server_profile_follows,
  m.server_sign_in_to_delete,
  m.server_chats_no_permission,
  m.server_send_no_permission,
  m.server_select_member,
  m.server_first_message,
  m.server_group_name,
  m.server_selected_gone,
  m.server_two_participants,
  m.server_creator_adds,
  m.server_creator_adds_participants,
  m.server_mandatory_chat_stays,
  m.server_participant_marks,
  m.server_mandatory_chat,
  m.server_mandatory_chat_listed,
  m.server_undo_late,
  m.server_sender_edits,
  m.server_quoted_elsewhere,
  m.server_images_today,
  m.server_images_full,
  m.server_creator_in_chat,
  m.server_chat_exists,
  m.server_image_size,
  m.server_image_missing,
  m.server_give_reason,
  m.server_no_such_message,
  m.server_reactions_full,
  m.server_choose_chat,
  m.server_notice_published,
  m.server_times_required,
  m.server_time_zone,
  m.server_content_type,
  m.server_device_members,
  m.server_device_not_yours,
  m.server_device_no_push,
  m.server_test_too_soon,
  m.server_two_step_first,
  m.server_two_step_on_first,
  m.server_two_step_own_first,
  m.server_two_step_reset_admin,
  m.server_two_step_reset_own,
  m.server_two_step_reason,
]

/** The same with a number in it. */
const SAID_WITH_A_NUMBER = [
  m.server_password_short,
  m.server_password_long,
  m.server_wait_seconds,
  m.server_invite_between,
  m.server_invite_too_many,
  m.server_two_step_tries,
  m.server_two_step_reason_long,
]

// A placeholder for the number that occurs in no text.
const PLACE = '#'

const bare = (text: string) => text.replace(/\.$/, '')
const EXACT = new Map(SAID.map((text) => [bare(text({}, { locale: 'en' })), text]))
const PATTERNS = SAID_WITH_A_NUMBER.map((text) => {
  const [before = '', after = ''] = text({ count: PLACE }, { locale: 'en' }).split(PLACE)
  return { text, before, after }
})

/** The server's message in the member's language; undefined if unknown. */
export function translated(said: string): string | undefined {
  const text = bare(said)
  const exact = EXACT.get(text)
  if (exact) return exact()
  for (const { text: translation, before, after } of PATTERNS) {
    const count = text.slice(before.length, text.length - after.length)
    if (text.startsWith(before) && text.endsWith(after) && /^\d+$/.test(count))
      return translation({ count })
  }
}
