// The generated types, refined by what the database guarantees but its catalog does not say. Names are checked against
// the generated types; the nullability of table columns comes from there too.
import type { Database as Generated, Json } from './database.types.ts'

type Public = Generated['public']
type Relations = Public['Tables'] & Public['Views']
type Functions = Public['Functions']
type Returned<Name extends keyof Functions> = Functions[Name]['Returns']
type RowOf<Returns> = Returns extends (infer Row extends object)[] ? Row : never

/** Columns whose values a check constraint restricts, and JSON columns. */
type ColumnTypes = ExistingColumns<{
  chats: { type: 'mandatory' | 'individual' | 'group' }
  chat_messages: MessageJson
  goals: {
    position:
      'representative' | 'district_leader' | 'division_leader' | 'regional_leader' | 'regional_vp'
    metric:
      | 'appointments'
      | 'premium'
      | 'cash'
      | 'warm'
      | 'cold'
      | 'warm_recruits'
      | 'cold_recruits'
      | 'warm_leaders'
      | 'cold_leaders'
    period: 'month' | 'week' | 'day'
    own_ratios: Record<string, unknown>
  }
  goal_activity: {
    stage: 'appointments' | 'plans' | 'sales' | 'interviews' | 'shows' | 'intros' | 'recruits'
  }
  schedule_content: {
    day_of_week: 'Monday' | 'Tuesday' | 'Wednesday' | 'Thursday' | 'Friday' | 'Saturday' | 'Sunday'
  }
  team_notices: { audience: 'all' | 'role' | 'chat' | 'members' }
}>

/** In the bucket `chat-images`; a file has `kind`. */
type AttachmentJson =
  | { kind?: undefined; path: string; width: number; height: number }
  | { kind: 'file'; path: string; name: string; size: number; type: string }

type MessageJson = {
  attachment: AttachmentJson
  reaction_counts: Record<string, number>
}

/** Of a person whose account is still there. */
export type MemberStatus = 'waiting' | 'declined' | 'active' | 'suspended' | 'removed'

/** The same for function results. */
type ResultTypes = ExistingResults<{
  audit_entries: {
    before: Record<string, Json | undefined>
    after: Record<string, Json | undefined>
    details: {
      reason?: string
      list?: string
      category?: string
      count?: number
      sent_at?: string
      asked_again?: boolean
      invited_by?: string
    }
    names: Record<string, { first_name: string; last_name: string; email: string | null }>
  }
  activity_totals: { stage: ColumnTypes['goal_activity']['stage']; market: 'warm' | 'cold' }
  broken_links: { content_type: 'home' | 'training' | 'newrepstart' | 'licensing' | 'schedule' }
  chat_changes: MessageJson
  chat_list: ColumnTypes['chats']
  known_addresses: { state: Exclude<MemberStatus, 'waiting'> | 'invited' }
  list_members: { status: MemberStatus; role: 'admin' | 'user' }
  member_details: { status: MemberStatus; role: 'admin' | 'user' }
  list_people: { role: 'admin' | 'user' }
  member_profile: { role: 'admin' | 'user' }
  list_invitations: { state: 'pending' | 'accepted' | 'bounced' | 'expired' | 'revoked' }
  list_join_links: { state: 'open' | 'taken_back' | 'expired' }
  my_notifications: { kind: 'notice' | 'mention' | 'newcomer' | 'report' }
  my_unacknowledged_notices: { kind: 'notice' }
  my_reports: {
    reason: 'harassment' | 'spam' | 'misleading_claims' | 'private_data' | 'other'
    outcome: 'fine' | 'follow_up' | 'violation'
  }
  push_health: { channel: 'apns' | 'fcm' | 'web' }
  unacknowledged_notices: ColumnTypes['team_notices']
}>

/** Nullable columns of function results: a signature cannot express NOT NULL. */
type NullableResults = ExistingResultNames<{
  activity_totals: 'market'
  admin_dashboard: 'next_meeting_title' | 'next_meeting_at' | 'broken_links'
  backup_state:
    | 'running_since'
    | 'verified_at'
    | 'address'
    | 'bytes'
    | 'row_count'
    | 'file_count'
    | 'missing_files'
    | 'failed_at'
    | 'failure'
  broken_links: 'problem' | 'failing_since' | 'checked_at'
  audit_entries: 'actor_id' | 'object_id' | 'object_name' | 'before' | 'after'
  chat_changes:
    'attachment' | 'changed_at' | 'deleted_reason' | 'edited_at' | 'forwarded_from' | 'reply_to'
  chat_list:
    | 'name'
    | 'other_user_id'
    | 'other_email'
    | 'last_message_id'
    | 'last_message'
    | 'last_message_at'
    | 'last_sender_id'
    | 'last_sender_name'
    | 'last_read_at'
    | 'muted_until'
    | 'draft'
    | 'draft_at'
  chat_members: 'email'
  search_archive: 'actor_name' | 'actor_email' | 'member_name' | 'chat_id' | 'subject_id'
  my_reports: 'message_id' | 'message' | 'outcome' | 'closed_at'
  legal_holds:
    | 'member_id'
    | 'chat_id'
    | 'name'
    | 'placed_by'
    | 'placed_by_name'
    | 'lifted_at'
    | 'lifted_by_name'
    | 'lift_reason'
  list_members: 'email' | 'last_active_at' | 'status_changed_at' | 'sponsor_name'
  member_details:
    | 'email'
    | 'status_changed_at'
    | 'last_active_at'
    | 'sponsor_id'
    | 'sponsor_name'
    | 'counts_for_name'
    | 'status_changed_by_name'
    | 'invited_by_name'
  list_people: 'email' | 'state'
  member_profile: 'email' | 'phone' | 'state' | 'sponsor_id' | 'sponsor_name' | 'chat_id'
  my_membership: 'refusal'
  my_notifications: 'chat_id' | 'link' | 'acknowledged_at' | 'reminded_at' | 'author'
  my_unacknowledged_notices: 'chat_id' | 'link' | 'acknowledged_at' | 'reminded_at' | 'author'
  notice_unacknowledged: 'email' | 'reminded_at'
  onboarding_overview: 'email' | 'joined_at' | 'next_title' | 'last_done_at'
  list_invitations:
    | 'last_sent_at'
    | 'accepted_by'
    | 'accepted_first_name'
    | 'accepted_last_name'
    | 'accepted_at'
    | 'revoked_at'
    | 'bounced_at'
  list_join_links: 'revoked_at'
  plan_invitations: 'invitation_id' | 'invited_by_name'
  push_health: 'last_error' | 'oldest_waiting_at'
  search_everything: 'id' | 'title' | 'detail' | 'snippet' | 'chat_id' | 'at'
  search_members: 'email'
  supervisors: 'email'
  system_status: 'scope'
  lexicon: 'near' | 'updated_by'
  look_messages: 'words' | 'image' | 'reply_to'
  review_figures: 'median_hours'
  review_item:
    | 'leader_name'
    | 'chat_id'
    | 'chat_title'
    | 'message_id'
    | 'words'
    | 'record_seq'
    | 'percent'
    | 'of_week'
    | 'report_reason'
    | 'report_note'
    | 'reporter_name'
    | 'assigned_to'
    | 'assigned_name'
    | 'outcome'
    | 'closed_at'
  review_queue:
    | 'chat_id'
    | 'chat_title'
    | 'words'
    | 'report_reason'
    | 'assigned_to'
    | 'assigned_name'
    | 'outcome'
    | 'closed_at'
  review_sampling: 'leader_id' | 'leader_name'
  test_lexicon: 'near'
  setting_changes: 'changed_by' | 'first_name' | 'last_name' | 'email'
}>

/** Columns without a default that a trigger fills in. */
type FilledByTrigger = ExistingNames<{
  chat_pins: 'chat_id'
  chat_reactions: 'chat_id'
  saved_messages: 'chat_id'
}>

/** Arguments that accept null; to Postgres every argument does. */
type NullableArguments = ExistingArguments<{
  audit_entries: 'of_kind' | 'actor' | 'member' | 'since' | 'until' | 'before_time' | 'before_id'
  create_chat: 'name'
  assign_review_item: 'assignee'
  set_review_sampling: 'percent'
  set_sponsor: 'sponsor_id'
}>

/** Scalar functions that may return null. */
type NullableReturns = 'push_public_key' | 'save_draft'

/** The schema the clients are typed with. */
export type Database = {
  public: {
    Tables: { [Name in keyof Public['Tables']]: Typed<Public['Tables'][Name], Name> }
    Views: { [Name in keyof Public['Views']]: Typed<Public['Views'][Name], Name> }
    Functions: {
      [Name in keyof Functions]: { Args: TypedArguments<Name>; Returns: TypedReturns<Name> }
    }
  }
}

/** A row of a table or view. */
export type Row<Name extends keyof Relations> = (Database['public']['Tables'] &
  Database['public']['Views'])[Name]['Row']

/** A row of a function's result. */
export type ResultRow<Name extends keyof Functions> = RowOf<
  Database['public']['Functions'][Name]['Returns']
>

type TypesOf<Name> = Name extends keyof ColumnTypes ? ColumnTypes[Name] : unknown

/** A relation with some column types replaced; nullability and optionality stay. */
type Typed<Relation, Name> = {
  [Part in keyof Relation]: Part extends 'Insert'
    ? Filled<Replaced<Relation[Part], TypesOf<Name>>, Name>
    : Part extends 'Row' | 'Update'
      ? Replaced<Relation[Part], TypesOf<Name>>
      : Relation[Part]
}

type Filled<Columns, Name> = Name extends keyof FilledByTrigger
  ? Omit<Columns, FilledByTrigger[Name]> & Partial<Columns>
  : Columns

type Replaced<Columns, Types> = {
  [Name in keyof Columns]: Name extends keyof Types
    ? Types[Name] | Extract<Columns[Name], null>
    : Columns[Name]
}

type TypedArguments<Name extends keyof Functions> = {
  [Argument in keyof Functions[Name]['Args']]:
    | Functions[Name]['Args'][Argument]
    | (Name extends keyof NullableArguments
        ? Argument extends NullableArguments[Name]
          ? null
          : never
        : never)
}

type TypedReturns<Name extends keyof Functions> = Name extends NullableReturns
  ? Returned<Name> | null
  : Returned<Name> extends object[]
    ? TypedResult<Name>[]
    : Returned<Name>

type TypedResult<Name extends keyof Functions> = {
  [Column in keyof RowOf<Returned<Name>>]:
    | (Name extends keyof ResultTypes
        ? Column extends keyof ResultTypes[Name]
          ? ResultTypes[Name][Column]
          : RowOf<Returned<Name>>[Column]
        : RowOf<Returned<Name>>[Column])
    | (Name extends keyof NullableResults
        ? Column extends NullableResults[Name]
          ? null
          : never
        : never)
}

// Fails to compile when a table, function or column is renamed.
type ExistingColumns<
  Types extends {
    [Table in keyof Types]: Table extends keyof Relations
      ? {
          [Column in keyof Types[Table]]: Column extends keyof Relations[Table]['Row']
            ? unknown
            : never
        }
      : never
  },
> = Types

type ExistingResults<
  Types extends {
    [Name in keyof Types]: Name extends keyof Functions
      ? {
          [Column in keyof Types[Name]]: Column extends keyof RowOf<Returned<Name>>
            ? unknown
            : never
        }
      : never
  },
> = Types

type ExistingResultNames<
  Names extends {
    [Name in keyof Names]: Name extends keyof Functions ? keyof RowOf<Returned<Name>> : never
  },
> = Names

type ExistingNames<
  Names extends {
    [Table in keyof Names]: Table extends keyof Relations ? keyof Relations[Table]['Row'] : never
  },
> = Names

type ExistingArguments<
  Names extends {
    [Name in keyof Names]: Name extends keyof Functions ? keyof Functions[Name]['Args'] : never
  },
> = Names
