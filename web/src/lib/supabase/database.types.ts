// Generated from supabase/migrations by `npm run database-types`. Do not edit.

export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[]

export type Database = {
  public: {
    Tables: {
      chat_messages: {
        Row: {
          attachment: Json | null
          changed_at: string | null
          chat_id: string
          deleted_by: string | null
          deleted_reason: string | null
          edited_at: string | null
          id: string
          is_deleted: boolean
          mentions: string[]
          message: string
          reaction_counts: NonNullable<Json>
          reply_to: string | null
          sender_id: string
          sent_at: string
        }
        ComputedFields: never
        Insert: {
          attachment?: Json | null
          changed_at?: string | null
          chat_id: string
          deleted_by?: string | null
          deleted_reason?: string | null
          edited_at?: string | null
          id?: string
          is_deleted?: boolean
          mentions?: string[]
          message: string
          reaction_counts?: NonNullable<Json>
          reply_to?: string | null
          sender_id: string
          sent_at?: string
        }
        Update: {
          attachment?: Json | null
          changed_at?: string | null
          chat_id?: string
          deleted_by?: string | null
          deleted_reason?: string | null
          edited_at?: string | null
          id?: string
          is_deleted?: boolean
          mentions?: string[]
          message?: string
          reaction_counts?: NonNullable<Json>
          reply_to?: string | null
          sender_id?: string
          sent_at?: string
        }
        Relationships: [
          {
            foreignKeyName: 'chat_messages_chat_id_fkey'
            columns: ['chat_id']
            isOneToOne: false
            referencedRelation: 'chats'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'chat_messages_deleted_by_fkey'
            columns: ['deleted_by']
            isOneToOne: false
            referencedRelation: 'users'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'chat_messages_reply_to_fkey'
            columns: ['reply_to']
            isOneToOne: false
            referencedRelation: 'chat_messages'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'chat_messages_sender_id_fkey'
            columns: ['sender_id']
            isOneToOne: false
            referencedRelation: 'users'
            referencedColumns: ['id']
          },
        ]
      }
      chat_reactions: {
        Row: {
          chat_id: string
          created_at: string
          emoji: string
          message_id: string
          user_id: string
        }
        ComputedFields: never
        Insert: {
          chat_id: string
          created_at?: string
          emoji: string
          message_id: string
          user_id: string
        }
        Update: {
          chat_id?: string
          created_at?: string
          emoji?: string
          message_id?: string
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'chat_reactions_chat_id_fkey'
            columns: ['chat_id']
            isOneToOne: false
            referencedRelation: 'chats'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'chat_reactions_message_id_fkey'
            columns: ['message_id']
            isOneToOne: false
            referencedRelation: 'chat_messages'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'chat_reactions_user_id_fkey'
            columns: ['user_id']
            isOneToOne: false
            referencedRelation: 'users'
            referencedColumns: ['id']
          },
        ]
      }
      chats: {
        Row: {
          created_at: string
          created_by: string | null
          id: string
          is_active: boolean
          name: string | null
          type: string
        }
        ComputedFields: never
        Insert: {
          created_at?: string
          created_by?: string | null
          id?: string
          is_active?: boolean
          name?: string | null
          type: string
        }
        Update: {
          created_at?: string
          created_by?: string | null
          id?: string
          is_active?: boolean
          name?: string | null
          type?: string
        }
        Relationships: [
          {
            foreignKeyName: 'chats_created_by_fkey'
            columns: ['created_by']
            isOneToOne: false
            referencedRelation: 'users'
            referencedColumns: ['id']
          },
        ]
      }
      goal_activity: {
        Row: {
          created_at: string
          goal_id: string
          happened_on: string
          id: string
          premium: number | null
          quantity: number
          stage: string
          user_id: string
        }
        ComputedFields: never
        Insert: {
          created_at?: string
          goal_id: string
          happened_on: string
          id?: string
          premium?: number | null
          quantity?: number
          stage: string
          user_id?: string
        }
        Update: {
          created_at?: string
          goal_id?: string
          happened_on?: string
          id?: string
          premium?: number | null
          quantity?: number
          stage?: string
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'goal_activity_goal'
            columns: ['goal_id', 'user_id']
            isOneToOne: false
            referencedRelation: 'goals'
            referencedColumns: ['id', 'user_id']
          },
        ]
      }
      goals: {
        Row: {
          created_at: string
          ended_at: string | null
          id: string
          metric: string
          own_ratios: NonNullable<Json>
          period: string
          position: string
          user_id: string
          value: number
        }
        ComputedFields: never
        Insert: {
          created_at?: string
          ended_at?: string | null
          id?: string
          metric: string
          own_ratios?: NonNullable<Json>
          period: string
          position: string
          user_id?: string
          value: number
        }
        Update: {
          created_at?: string
          ended_at?: string | null
          id?: string
          metric?: string
          own_ratios?: NonNullable<Json>
          period?: string
          position?: string
          user_id?: string
          value?: number
        }
        Relationships: []
      }
      home_content: {
        Row: {
          category: string
          description: string | null
          id: string
          image_alt: string | null
          image_url: string | null
          is_active: boolean
          sort_order: number
          title: string
          updated_at: string
          updated_by: string | null
          url: string | null
          version: number
        }
        ComputedFields: never
        Insert: {
          category?: string
          description?: string | null
          id?: string
          image_alt?: string | null
          image_url?: string | null
          is_active?: boolean
          sort_order?: number
          title: string
          updated_at?: string
          updated_by?: string | null
          url?: string | null
          version?: number
        }
        Update: {
          category?: string
          description?: string | null
          id?: string
          image_alt?: string | null
          image_url?: string | null
          is_active?: boolean
          sort_order?: number
          title?: string
          updated_at?: string
          updated_by?: string | null
          url?: string | null
          version?: number
        }
        Relationships: []
      }
      join_links: {
        Row: {
          created_at: string
          created_by: string
          expires_at: string
          id: string
          token: string
        }
        ComputedFields: never
        Insert: {
          created_at?: string
          created_by?: string
          expires_at?: string
          id?: string
          token?: string
        }
        Update: {
          created_at?: string
          created_by?: string
          expires_at?: string
          id?: string
          token?: string
        }
        Relationships: [
          {
            foreignKeyName: 'join_links_created_by_fkey'
            columns: ['created_by']
            isOneToOne: false
            referencedRelation: 'users'
            referencedColumns: ['id']
          },
        ]
      }
      licensing_content: {
        Row: {
          category: string
          description: string | null
          id: string
          image_alt: string | null
          image_url: string | null
          is_active: boolean
          sort_order: number
          title: string
          updated_at: string
          updated_by: string | null
          url: string | null
          version: number
        }
        ComputedFields: never
        Insert: {
          category: string
          description?: string | null
          id?: string
          image_alt?: string | null
          image_url?: string | null
          is_active?: boolean
          sort_order?: number
          title: string
          updated_at?: string
          updated_by?: string | null
          url?: string | null
          version?: number
        }
        Update: {
          category?: string
          description?: string | null
          id?: string
          image_alt?: string | null
          image_url?: string | null
          is_active?: boolean
          sort_order?: number
          title?: string
          updated_at?: string
          updated_by?: string | null
          url?: string | null
          version?: number
        }
        Relationships: []
      }
      newrepstart_content: {
        Row: {
          category: string
          description: string | null
          id: string
          image_alt: string | null
          image_url: string | null
          is_active: boolean
          sort_order: number
          title: string
          updated_at: string
          updated_by: string | null
          url: string | null
          version: number
        }
        ComputedFields: never
        Insert: {
          category?: string
          description?: string | null
          id?: string
          image_alt?: string | null
          image_url?: string | null
          is_active?: boolean
          sort_order?: number
          title: string
          updated_at?: string
          updated_by?: string | null
          url?: string | null
          version?: number
        }
        Update: {
          category?: string
          description?: string | null
          id?: string
          image_alt?: string | null
          image_url?: string | null
          is_active?: boolean
          sort_order?: number
          title?: string
          updated_at?: string
          updated_by?: string | null
          url?: string | null
          version?: number
        }
        Relationships: []
      }
      notice_receipts: {
        Row: {
          acknowledged_at: string | null
          mailed_at: string | null
          notice_id: string
          opened_at: string | null
          received_at: string
          reminded_at: string | null
          shown_at: string | null
          user_id: string
        }
        ComputedFields: never
        Insert: {
          acknowledged_at?: string | null
          mailed_at?: string | null
          notice_id: string
          opened_at?: string | null
          received_at?: string
          reminded_at?: string | null
          shown_at?: string | null
          user_id: string
        }
        Update: {
          acknowledged_at?: string | null
          mailed_at?: string | null
          notice_id?: string
          opened_at?: string | null
          received_at?: string
          reminded_at?: string | null
          shown_at?: string | null
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'notice_receipts_notice_id_fkey'
            columns: ['notice_id']
            isOneToOne: false
            referencedRelation: 'team_notices'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'notice_receipts_user_id_fkey'
            columns: ['user_id']
            isOneToOne: false
            referencedRelation: 'users'
            referencedColumns: ['id']
          },
        ]
      }
      notification_settings: {
        Row: {
          mentions: boolean
          mentions_pass_quiet: boolean
          messages: boolean
          notices: boolean
          quiet_from: string | null
          quiet_to: string | null
          time_zone: string | null
          user_id: string
        }
        ComputedFields: never
        Insert: {
          mentions?: boolean
          mentions_pass_quiet?: boolean
          messages?: boolean
          notices?: boolean
          quiet_from?: string | null
          quiet_to?: string | null
          time_zone?: string | null
          user_id?: string
        }
        Update: {
          mentions?: boolean
          mentions_pass_quiet?: boolean
          messages?: boolean
          notices?: boolean
          quiet_from?: string | null
          quiet_to?: string | null
          time_zone?: string | null
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'notification_settings_user_id_fkey'
            columns: ['user_id']
            isOneToOne: true
            referencedRelation: 'users'
            referencedColumns: ['id']
          },
        ]
      }
      onboarding_progress: {
        Row: {
          done_at: string
          item_id: string
          user_id: string
        }
        ComputedFields: never
        Insert: {
          done_at?: string
          item_id: string
          user_id?: string
        }
        Update: {
          done_at?: string
          item_id?: string
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'onboarding_progress_item_id_fkey'
            columns: ['item_id']
            isOneToOne: false
            referencedRelation: 'newrepstart_content'
            referencedColumns: ['id']
          },
        ]
      }
      push_channels: {
        Row: {
          channel: string
          checked_at: string
          detail: string
          is_on: boolean
          public_key: string | null
        }
        ComputedFields: never
        Insert: {
          channel: string
          checked_at?: string
          detail?: string
          is_on: boolean
          public_key?: string | null
        }
        Update: {
          channel?: string
          checked_at?: string
          detail?: string
          is_on?: boolean
          public_key?: string | null
        }
        Relationships: []
      }
      push_devices: {
        Row: {
          auth: string | null
          channel: string
          created_at: string
          id: string
          label: string | null
          last_seen_at: string
          p256dh: string | null
          platform: string
          token: string
          user_id: string
        }
        ComputedFields: never
        Insert: {
          auth?: string | null
          channel: string
          created_at?: string
          id?: string
          label?: string | null
          last_seen_at?: string
          p256dh?: string | null
          platform: string
          token: string
          user_id: string
        }
        Update: {
          auth?: string | null
          channel?: string
          created_at?: string
          id?: string
          label?: string | null
          last_seen_at?: string
          p256dh?: string | null
          platform?: string
          token?: string
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'push_devices_user_id_fkey'
            columns: ['user_id']
            isOneToOne: false
            referencedRelation: 'users'
            referencedColumns: ['id']
          },
        ]
      }
      schedule_content: {
        Row: {
          category: string
          day_of_week: string
          description: string | null
          end_time: string
          id: string
          image_alt: string | null
          image_url: string | null
          is_active: boolean
          meeting_id: string | null
          meeting_password: string | null
          sort_order: number
          start_time: string
          title: string
          updated_at: string
          updated_by: string | null
          url: string | null
          version: number
        }
        ComputedFields: never
        Insert: {
          category?: string
          day_of_week?: string
          description?: string | null
          end_time: string
          id?: string
          image_alt?: string | null
          image_url?: string | null
          is_active?: boolean
          meeting_id?: string | null
          meeting_password?: string | null
          sort_order?: number
          start_time: string
          title: string
          updated_at?: string
          updated_by?: string | null
          url?: string | null
          version?: number
        }
        Update: {
          category?: string
          day_of_week?: string
          description?: string | null
          end_time?: string
          id?: string
          image_alt?: string | null
          image_url?: string | null
          is_active?: boolean
          meeting_id?: string | null
          meeting_password?: string | null
          sort_order?: number
          start_time?: string
          title?: string
          updated_at?: string
          updated_by?: string | null
          url?: string | null
          version?: number
        }
        Relationships: []
      }
      team_notices: {
        Row: {
          audience: string
          audience_chat_id: string | null
          audience_members: string[]
          audience_role: string | null
          body: string
          cancelled_at: string | null
          created_at: string
          created_by: string | null
          id: string
          is_urgent: boolean
          link: string | null
          must_acknowledge: boolean
          published_at: string | null
          scheduled_for: string | null
          title: string
        }
        ComputedFields: never
        Insert: {
          audience?: string
          audience_chat_id?: string | null
          audience_members?: string[]
          audience_role?: string | null
          body?: string
          cancelled_at?: string | null
          created_at?: string
          created_by?: string | null
          id?: string
          is_urgent?: boolean
          link?: string | null
          must_acknowledge?: boolean
          published_at?: string | null
          scheduled_for?: string | null
          title: string
        }
        Update: {
          audience?: string
          audience_chat_id?: string | null
          audience_members?: string[]
          audience_role?: string | null
          body?: string
          cancelled_at?: string | null
          created_at?: string
          created_by?: string | null
          id?: string
          is_urgent?: boolean
          link?: string | null
          must_acknowledge?: boolean
          published_at?: string | null
          scheduled_for?: string | null
          title?: string
        }
        Relationships: [
          {
            foreignKeyName: 'team_notices_audience_chat_id_fkey'
            columns: ['audience_chat_id']
            isOneToOne: false
            referencedRelation: 'chats'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'team_notices_created_by_fkey'
            columns: ['created_by']
            isOneToOne: false
            referencedRelation: 'users'
            referencedColumns: ['id']
          },
        ]
      }
      team_settings: {
        Row: {
          admins_need_second_factor: boolean
          id: boolean
          seen_by_enabled: boolean
          time_zone: string
          vice_presidents: string[]
        }
        ComputedFields: never
        Insert: {
          admins_need_second_factor?: boolean
          id?: boolean
          seen_by_enabled?: boolean
          time_zone?: string
          vice_presidents?: string[]
        }
        Update: {
          admins_need_second_factor?: boolean
          id?: boolean
          seen_by_enabled?: boolean
          time_zone?: string
          vice_presidents?: string[]
        }
        Relationships: []
      }
      training_content: {
        Row: {
          category: string
          description: string | null
          id: string
          image_alt: string | null
          image_url: string | null
          is_active: boolean
          sort_order: number
          title: string
          updated_at: string
          updated_by: string | null
          url: string | null
          version: number
        }
        ComputedFields: never
        Insert: {
          category: string
          description?: string | null
          id?: string
          image_alt?: string | null
          image_url?: string | null
          is_active?: boolean
          sort_order?: number
          title: string
          updated_at?: string
          updated_by?: string | null
          url?: string | null
          version?: number
        }
        Update: {
          category?: string
          description?: string | null
          id?: string
          image_alt?: string | null
          image_url?: string | null
          is_active?: boolean
          sort_order?: number
          title?: string
          updated_at?: string
          updated_by?: string | null
          url?: string | null
          version?: number
        }
        Relationships: []
      }
    }
    Views: {
      chat_participants: {
        Row: {
          chat_id: string
          is_active: boolean
          joined_at: string
          last_read_at: string | null
          muted_until: string | null
          user_id: string
        }
        ComputedFields: never
        Insert: {
          chat_id?: string | null
          is_active?: boolean | null
          joined_at?: string | null
          last_read_at?: string | null
          muted_until?: string | null
          user_id?: string | null
        }
        Update: {
          chat_id?: string | null
          is_active?: boolean | null
          joined_at?: string | null
          last_read_at?: string | null
          muted_until?: string | null
          user_id?: string | null
        }
        Relationships: [
          {
            foreignKeyName: 'chat_participants_chat_id_fkey'
            columns: ['chat_id']
            isOneToOne: false
            referencedRelation: 'chats'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'chat_participants_user_id_fkey'
            columns: ['user_id']
            isOneToOne: false
            referencedRelation: 'users'
            referencedColumns: ['id']
          },
        ]
      }
      users: {
        Row: {
          archived_chats: string[] | null
          can_create_chats: boolean
          can_send_messages: boolean
          created_at: string
          email: string | null
          first_name: string
          hidden_chats: string[] | null
          id: string
          is_active: boolean
          last_name: string
          push_token: string | null
          rally_enabled: boolean
          role: string
          status: string
        }
        ComputedFields: never
        Insert: {
          archived_chats?: string[] | null
          can_create_chats?: boolean | null
          can_send_messages?: boolean | null
          created_at?: string | null
          email?: string | null
          first_name?: string | null
          hidden_chats?: string[] | null
          id?: string | null
          is_active?: boolean | null
          last_name?: string | null
          push_token?: string | null
          rally_enabled?: boolean | null
          role?: string | null
          status?: string | null
        }
        Update: {
          archived_chats?: string[] | null
          can_create_chats?: boolean | null
          can_send_messages?: boolean | null
          created_at?: string | null
          email?: string | null
          first_name?: string | null
          hidden_chats?: string[] | null
          id?: string | null
          is_active?: boolean | null
          last_name?: string | null
          push_token?: string | null
          rally_enabled?: boolean | null
          role?: string | null
          status?: string | null
        }
        Relationships: []
      }
    }
    Functions: {
      acknowledge_notice: { Args: { notice_id: string }; Returns: undefined }
      activity_totals: {
        Args: { since: string }
        Returns: {
          market: string
          premium: number
          quantity: number
          stage: string
          with_premium: number
        }[]
      }
      acts_as_admin: { Args: Record<PropertyKey, never>; Returns: boolean }
      add_chat_members: { Args: { chat_id: string; member_ids: string[] }; Returns: undefined }
      chat_changes: {
        Args: { chat_id: string; max_results?: number; since: string }
        Returns: {
          attachment: Json
          changed_at: string
          chat_id: string
          deleted_reason: string
          edited_at: string
          id: string
          is_deleted: boolean
          mentions: string[]
          message: string
          reaction_counts: Json
          reply_to: string
          sender_id: string
          sent_at: string
        }[]
      }
      chat_departure: {
        Args: { chat_id: string }
        Returns: {
          title: string
          was_removed: boolean
        }[]
      }
      chat_list: {
        Args: { with_hidden?: boolean }
        Returns: {
          chat_id: string
          created_at: string
          is_archived: boolean
          is_hidden: boolean
          last_message: string
          last_message_at: string
          last_message_id: string
          last_read_at: string
          last_sender_id: string
          last_sender_name: string
          member_count: number
          muted_until: string
          name: string
          other_email: string
          other_is_admin: boolean
          other_user_id: string
          title: string
          type: string
          unread_count: number
        }[]
      }
      chat_members: {
        Args: { chat_id: string; max_results?: number; query?: string; skip?: number }
        Returns: {
          email: string
          first_name: string
          id: string
          is_creator: boolean
          joined_at: string
          last_name: string
        }[]
      }
      chats_with_member: { Args: { query: string }; Returns: string[] }
      claim_push_deliveries: {
        Args: { channels: string[]; lease_seconds?: number; max_results?: number }
        Returns: {
          attempt: number
          auth: string
          badge: number
          body: string
          channel: string
          chat_id: string
          collapse_key: string
          id: number
          is_pressing: boolean
          kind: string
          link: string
          message_id: string
          notice_id: string
          p256dh: string
          sent_at: string
          title: string
          token: string
        }[]
      }
      claim_reminder_mails: {
        Args: { max_results?: number }
        Returns: {
          body: string
          email: string
          language: string
          title: string
        }[]
      }
      count_members: {
        Args: Record<PropertyKey, never>
        Returns: {
          active: number
          admins: number
          never_opened: number
          removed: number
          silent: number
          suspended: number
        }[]
      }
      create_chat: {
        Args: { first_message: string; member_ids: string[]; message_id?: string; name: string }
        Returns: string
      }
      create_recovery_codes: { Args: Record<PropertyKey, never>; Returns: string[] }
      delete_my_account: { Args: Record<PropertyKey, never>; Returns: undefined }
      email_confirmed: { Args: { user_id: string }; Returns: boolean }
      export_my_data: { Args: { page?: number }; Returns: Json }
      forget_push_devices: { Args: { except_token?: string }; Returns: undefined }
      get_user_count: { Args: Record<PropertyKey, never>; Returns: number }
      join_link_is_open: { Args: { token: string }; Returns: boolean }
      list_members: {
        Args: { filter?: string; max_results?: number; query?: string; skip?: number }
        Returns: {
          email: string
          first_name: string
          id: string
          joined_at: string
          last_active_at: string
          last_name: string
          role: string
          status: string
        }[]
      }
      mark_chat_read: { Args: { chat_id: string; read_until?: string }; Returns: undefined }
      mark_notice_opened: { Args: { notice_id: string }; Returns: undefined }
      mark_notices_shown: { Args: { notice_ids: string[] }; Returns: undefined }
      member_details: {
        Args: { member_id: string }
        Returns: {
          can_create_chats: boolean
          can_send_messages: boolean
          devices: number
          email: string
          first_name: string
          groups_led: number
          has_second_factor: boolean
          id: string
          is_vice_president: boolean
          joined_at: string
          last_active_at: string
          last_name: string
          rally_enabled: boolean
          role: string
          sessions: number
          status: string
          status_changed_at: string
          status_reason: string
          steps_done: number
          steps_total: number
        }[]
      }
      message_seen_by: {
        Args: { max_results?: number; message_id: string; skip?: number }
        Returns: {
          first_name: string
          id: string
          last_name: string
          seen_at: string
          total: number
        }[]
      }
      my_notifications: {
        Args: { before?: string; before_id?: string; max_results?: number }
        Returns: {
          acknowledged_at: string
          at: string
          body: string
          chat_id: string
          id: string
          is_unread: boolean
          is_urgent: boolean
          kind: string
          link: string
          must_acknowledge: boolean
          reminded_at: string
          title: string
        }[]
      }
      notice_results: {
        Args: { notice_id: string }
        Returns: {
          acknowledged: number
          failed: number
          opened: number
          recipients: number
          sent: number
          shown: number
          uncertain: number
          waiting: number
        }[]
      }
      notice_unacknowledged: {
        Args: { max_results?: number; notice_id: string; skip?: number }
        Returns: {
          email: string
          first_name: string
          id: string
          last_name: string
          reminded_at: string
        }[]
      }
      onboarding_overview: {
        Args: Record<PropertyKey, never>
        Returns: {
          done_count: number
          email: string
          first_name: string
          last_done_at: string
          last_name: string
          next_title: string
          total_count: number
          user_id: string
        }[]
      }
      plan_invitations: {
        Args: { emails: string[] }
        Returns: {
          account_id: string
          email: string
          state: string
        }[]
      }
      publish_typing: { Args: { chat_id: string }; Returns: undefined }
      push_health: {
        Args: Record<PropertyKey, never>
        Returns: {
          channel: string
          checked_at: string
          detail: string
          devices: number
          failed: number
          is_on: boolean
          last_error: string
          oldest_waiting_at: string
          passed_quiet_hours: number
          sent: number
          uncertain: number
          waiting: number
        }[]
      }
      push_public_key: { Args: Record<PropertyKey, never>; Returns: string }
      recovery_codes_left: { Args: Record<PropertyKey, never>; Returns: number }
      register_push_device: {
        Args: {
          auth?: string
          channel?: string
          label?: string
          p256dh?: string
          platform: string
          token: string
        }
        Returns: string
      }
      rejoin_chat: { Args: { chat_id: string }; Returns: undefined }
      remind_notice: {
        Args: { notice_id: string }
        Returns: {
          reminded: number
          reminded_just_now: number
          with_device: number
          with_mail: number
        }[]
      }
      remove_push_device: { Args: { token: string }; Returns: undefined }
      reorder_content: { Args: { content_type: string; item_ids: string[] }; Returns: undefined }
      report_push_channels: { Args: { channels: Json }; Returns: undefined }
      require_live_session: { Args: Record<PropertyKey, never>; Returns: undefined }
      reset_second_factor: { Args: { member_id: string; reason: string }; Returns: boolean }
      restore_message: { Args: { message_id: string }; Returns: undefined }
      save_goal: {
        Args: { metric: string; own_ratios?: Json; period: string; position: string; value: number }
        Returns: string
      }
      search_members: {
        Args: { max_results?: number; query?: string; skip?: number }
        Returns: {
          email: string
          first_name: string
          id: string
          last_name: string
        }[]
      }
      search_messages: {
        Args: { max_results?: number; query: string }
        Returns: {
          chat_id: string
          chat_title: string
          message_id: string
          rank: number
          sender_id: string
          sender_name: string
          sent_at: string
          snippet: string
        }[]
      }
      send_test_push: { Args: { device_id: string }; Returns: undefined }
      set_member_status: {
        Args: { member_id: string; reason?: string; status: string }
        Returns: undefined
      }
      set_vice_president: {
        Args: { is_vice_president: boolean; member_id: string }
        Returns: undefined
      }
      settle_push_deliveries: { Args: { results: Json }; Returns: undefined }
      take_unused_images: { Args: { max_results?: number }; Returns: string[] }
      unread_notification_count: { Args: Record<PropertyKey, never>; Returns: number }
      use_recovery_code: { Args: { code: string }; Returns: boolean }
      vice_presidents: {
        Args: Record<PropertyKey, never>
        Returns: {
          first_name: string
          id: string
          last_name: string
        }[]
      }
    }
    Enums: {
      [_ in never]: never
    }
    CompositeTypes: {
      [_ in never]: never
    }
  }
}

type DatabaseWithoutInternals = Omit<Database, '__InternalSupabase'>

type DefaultSchema = DatabaseWithoutInternals[Extract<keyof Database, 'public'>]

export type Tables<
  DefaultSchemaTableNameOrOptions extends
    | keyof (DefaultSchema['Tables'] & DefaultSchema['Views'])
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends (DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof (DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Tables'] &
        DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Views'])
    : never) = never,
> = DefaultSchemaTableNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? (DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Tables'] &
      DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Views'])[TableName] extends {
      Row: infer R
    }
    ? R
    : never
  : DefaultSchemaTableNameOrOptions extends keyof (DefaultSchema['Tables'] & DefaultSchema['Views'])
    ? (DefaultSchema['Tables'] & DefaultSchema['Views'])[DefaultSchemaTableNameOrOptions] extends {
        Row: infer R
      }
      ? R
      : never
    : never

export type TablesInsert<
  DefaultSchemaTableNameOrOptions extends
    keyof DefaultSchema['Tables'] | { schema: keyof DatabaseWithoutInternals },
  TableName extends (DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Tables']
    : never) = never,
> = DefaultSchemaTableNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Tables'][TableName] extends {
      Insert: infer I
    }
    ? I
    : never
  : DefaultSchemaTableNameOrOptions extends keyof DefaultSchema['Tables']
    ? DefaultSchema['Tables'][DefaultSchemaTableNameOrOptions] extends {
        Insert: infer I
      }
      ? I
      : never
    : never

export type TablesUpdate<
  DefaultSchemaTableNameOrOptions extends
    keyof DefaultSchema['Tables'] | { schema: keyof DatabaseWithoutInternals },
  TableName extends (DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Tables']
    : never) = never,
> = DefaultSchemaTableNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Tables'][TableName] extends {
      Update: infer U
    }
    ? U
    : never
  : DefaultSchemaTableNameOrOptions extends keyof DefaultSchema['Tables']
    ? DefaultSchema['Tables'][DefaultSchemaTableNameOrOptions] extends {
        Update: infer U
      }
      ? U
      : never
    : never

export type Enums<
  DefaultSchemaEnumNameOrOptions extends
    keyof DefaultSchema['Enums'] | { schema: keyof DatabaseWithoutInternals },
  EnumName extends (DefaultSchemaEnumNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaEnumNameOrOptions['schema']]['Enums']
    : never) = never,
> = DefaultSchemaEnumNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[DefaultSchemaEnumNameOrOptions['schema']]['Enums'][EnumName]
  : DefaultSchemaEnumNameOrOptions extends keyof DefaultSchema['Enums']
    ? DefaultSchema['Enums'][DefaultSchemaEnumNameOrOptions]
    : never

export type CompositeTypes<
  PublicCompositeTypeNameOrOptions extends
    keyof DefaultSchema['CompositeTypes'] | { schema: keyof DatabaseWithoutInternals },
  CompositeTypeName extends (PublicCompositeTypeNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[PublicCompositeTypeNameOrOptions['schema']]['CompositeTypes']
    : never) = never,
> = PublicCompositeTypeNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[PublicCompositeTypeNameOrOptions['schema']]['CompositeTypes'][CompositeTypeName]
  : PublicCompositeTypeNameOrOptions extends keyof DefaultSchema['CompositeTypes']
    ? DefaultSchema['CompositeTypes'][PublicCompositeTypeNameOrOptions]
    : never

export const Constants = {
  public: {
    Enums: {},
  },
} as const
