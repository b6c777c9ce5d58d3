// The generated types, refined by what the database guarantees but its catalog does not say. Names are checked against
// the generated types; the nullability of table columns comes from there too.
import type { Database as Generated } from './database.types.ts'

type Public = Generated['public']
type Relations = Public['Tables'] & Public['Views']
type Functions = Public['Functions']
type Answer<Name extends keyof Functions> = Functions[Name]['Returns']
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

type MessageJson = {
  attachment: { path: string; width: number; height: number }
  reaction_counts: Record<string, number>
}

/** The same for function results. */
type ResultTypes = ExistingResults<{
  activity_totals: { stage: ColumnTypes['goal_activity']['stage']; market: 'warm' | 'cold' }
  chat_changes: MessageJson
  chat_list: ColumnTypes['chats']
  my_notifications: { kind: 'notice' | 'mention' }
  push_health: { channel: 'apns' | 'fcm' | 'web' }
}>

/** Nullable columns of function results: a signature cannot express NOT NULL. */
type NullableResults = ExistingResultNames<{
  activity_totals: 'market'
  chat_changes: 'attachment' | 'changed_at' | 'deleted_reason' | 'edited_at' | 'reply_to'
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
  chat_members: 'email'
  list_members: 'email' | 'last_active_at'
  member_details: 'email' | 'status_changed_at' | 'last_active_at'
  my_notifications: 'chat_id' | 'link' | 'acknowledged_at' | 'reminded_at'
  notice_unacknowledged: 'email' | 'reminded_at'
  onboarding_overview: 'email' | 'next_title' | 'last_done_at'
  plan_invitations: 'account_id'
  push_health: 'last_error' | 'oldest_waiting_at'
  search_members: 'email'
}>

/** Columns without a default that a trigger fills in. */
type FilledByTrigger = ExistingNames<{ chat_reactions: 'chat_id' }>

/** Arguments that accept null; to Postgres every argument does. */
type NullableArguments = ExistingArguments<{ create_chat: 'name' }>

/** Scalar functions that may return null. */
type NullableAnswers = 'push_public_key'

/** The schema the clients are typed with. */
export type Database = {
  public: {
    Tables: { [Name in keyof Public['Tables']]: Typed<Public['Tables'][Name], Name> }
    Views: { [Name in keyof Public['Views']]: Typed<Public['Views'][Name], Name> }
    Functions: {
      [Name in keyof Functions]: { Args: TypedArguments<Name>; Returns: TypedAnswer<Name> }
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

type TypedAnswer<Name extends keyof Functions> = Name extends NullableAnswers
  ? Answer<Name> | null
  : Answer<Name> extends object[]
    ? TypedResult<Name>[]
    : Answer<Name>

type TypedResult<Name extends keyof Functions> = {
  [Column in keyof RowOf<Answer<Name>>]:
    | (Name extends keyof ResultTypes
        ? Column extends keyof ResultTypes[Name]
          ? ResultTypes[Name][Column]
          : RowOf<Answer<Name>>[Column]
        : RowOf<Answer<Name>>[Column])
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
          [Column in keyof Types[Name]]: Column extends keyof RowOf<Answer<Name>> ? unknown : never
        }
      : never
  },
> = Types

type ExistingResultNames<
  Names extends {
    [Name in keyof Names]: Name extends keyof Functions ? keyof RowOf<Answer<Name>> : never
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
