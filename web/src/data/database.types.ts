// Generated from supabase/migrations by `npm run database-types`. Do not edit.

export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[]

export type Database = {
  public: {
    Tables: {
      chat_drafts: {
        Row: {
          chat_id: string
          device: string | null
          message: string
          user_id: string
          written_at: string
        }
        ComputedFields: never
        Insert: {
          chat_id: string
          device?: string | null
          message: string
          user_id: string
          written_at: string
        }
        Update: {
          chat_id?: string
          device?: string | null
          message?: string
          user_id?: string
          written_at?: string
        }
        Relationships: [
          {
            foreignKeyName: 'chat_drafts_chat_id_fkey'
            columns: ['chat_id']
            isOneToOne: false
            referencedRelation: 'chats'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'chat_drafts_user_id_fkey'
            columns: ['user_id']
            isOneToOne: false
            referencedRelation: 'users'
            referencedColumns: ['id']
          },
        ]
      }
      chat_messages: {
        Row: {
          attachment: Json | null
          changed_at: string | null
          chat_id: string
          deleted_by: string | null
          deleted_reason: string | null
          edited_at: string | null
          forwarded_from: string | null
          id: string
          is_deleted: boolean
          is_removed: boolean
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
          forwarded_from?: string | null
          id?: string
          is_deleted?: boolean
          is_removed?: never
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
          forwarded_from?: string | null
          id?: string
          is_deleted?: boolean
          is_removed?: never
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
      chat_pins: {
        Row: {
          chat_id: string
          created_at: string
          created_by: string
          message_id: string
        }
        ComputedFields: never
        Insert: {
          chat_id: string
          created_at?: string
          created_by: string
          message_id: string
        }
        Update: {
          chat_id?: string
          created_at?: string
          created_by?: string
          message_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'chat_pins_chat_id_fkey'
            columns: ['chat_id']
            isOneToOne: false
            referencedRelation: 'chats'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'chat_pins_created_by_fkey'
            columns: ['created_by']
            isOneToOne: false
            referencedRelation: 'users'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'chat_pins_message_id_fkey'
            columns: ['message_id']
            isOneToOne: true
            referencedRelation: 'chat_messages'
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
          updated_at: string | null
          updated_by: string | null
        }
        ComputedFields: never
        Insert: {
          created_at?: string
          created_by?: string | null
          id?: string
          is_active?: boolean
          name?: string | null
          type: string
          updated_at?: string | null
          updated_by?: string | null
        }
        Update: {
          created_at?: string
          created_by?: string | null
          id?: string
          is_active?: boolean
          name?: string | null
          type?: string
          updated_at?: string | null
          updated_by?: string | null
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
      invitations: {
        Row: {
          accepted_at: string | null
          accepted_by: string | null
          bounce_reason: string
          bounced_at: string | null
          created_at: string
          email: string
          expires_at: string
          first_name: string
          id: string
          invited_by: string
          last_name: string
          last_sent_at: string | null
          locale: string
          revoked_at: string | null
          searchable: string | null
          times_sent: number
        }
        ComputedFields: never
        Insert: {
          accepted_at?: string | null
          accepted_by?: string | null
          bounce_reason?: string
          bounced_at?: string | null
          created_at?: string
          email: string
          expires_at?: string
          first_name?: string
          id?: string
          invited_by: string
          last_name?: string
          last_sent_at?: string | null
          locale?: string
          revoked_at?: string | null
          searchable?: never
          times_sent?: number
        }
        Update: {
          accepted_at?: string | null
          accepted_by?: string | null
          bounce_reason?: string
          bounced_at?: string | null
          created_at?: string
          email?: string
          expires_at?: string
          first_name?: string
          id?: string
          invited_by?: string
          last_name?: string
          last_sent_at?: string | null
          locale?: string
          revoked_at?: string | null
          searchable?: never
          times_sent?: number
        }
        Relationships: [
          {
            foreignKeyName: 'invitations_accepted_by_fkey'
            columns: ['accepted_by']
            isOneToOne: false
            referencedRelation: 'users'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'invitations_invited_by_fkey'
            columns: ['invited_by']
            isOneToOne: false
            referencedRelation: 'users'
            referencedColumns: ['id']
          },
        ]
      }
      join_links: {
        Row: {
          created_at: string
          created_by: string
          expires_at: string
          id: string
          revoked_at: string | null
          token: string
        }
        ComputedFields: never
        Insert: {
          created_at?: string
          created_by?: string
          expires_at?: string
          id?: string
          revoked_at?: string | null
          token?: string
        }
        Update: {
          created_at?: string
          created_by?: string
          expires_at?: string
          id?: string
          revoked_at?: string | null
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
          session_id: string | null
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
          session_id?: string | null
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
          session_id?: string | null
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
      saved_messages: {
        Row: {
          chat_id: string
          message_id: string
          saved_at: string
          user_id: string
        }
        ComputedFields: never
        Insert: {
          chat_id: string
          message_id: string
          saved_at?: string
          user_id: string
        }
        Update: {
          chat_id?: string
          message_id?: string
          saved_at?: string
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'saved_messages_chat_id_fkey'
            columns: ['chat_id']
            isOneToOne: false
            referencedRelation: 'chats'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'saved_messages_message_id_fkey'
            columns: ['message_id']
            isOneToOne: false
            referencedRelation: 'chat_messages'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'saved_messages_user_id_fkey'
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
          updated_at: string | null
          updated_by: string | null
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
          updated_at?: string | null
          updated_by?: string | null
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
          updated_at?: string | null
          updated_by?: string | null
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
          app_errors_enabled: boolean
          email_domains: string[]
          id: boolean
          registration: string
          seen_by_enabled: boolean
          time_zone: string
          vice_presidents: string[]
        }
        ComputedFields: never
        Insert: {
          admins_need_second_factor?: boolean
          app_errors_enabled?: boolean
          email_domains?: string[]
          id?: boolean
          registration?: string
          seen_by_enabled?: boolean
          time_zone?: string
          vice_presidents?: string[]
        }
        Update: {
          admins_need_second_factor?: boolean
          app_errors_enabled?: boolean
          email_domains?: string[]
          id?: boolean
          registration?: string
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
          is_marked_unread: boolean | null
          joined_at: string
          last_read_at: string | null
          mentions_only: boolean | null
          muted_until: string | null
          pinned_at: string | null
          user_id: string
        }
        ComputedFields: never
        Insert: {
          chat_id?: string | null
          is_active?: boolean | null
          is_marked_unread?: boolean | null
          joined_at?: string | null
          last_read_at?: string | null
          mentions_only?: boolean | null
          muted_until?: string | null
          pinned_at?: string | null
          user_id?: string | null
        }
        Update: {
          chat_id?: string | null
          is_active?: boolean | null
          is_marked_unread?: boolean | null
          joined_at?: string | null
          last_read_at?: string | null
          mentions_only?: boolean | null
          muted_until?: string | null
          pinned_at?: string | null
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
          about: string
          archived_chats: string[] | null
          can_create_chats: boolean
          can_send_messages: boolean
          can_supervise: boolean
          created_at: string
          email: string | null
          email_audience: string | null
          first_name: string
          hidden_chats: string[] | null
          id: string
          is_active: boolean
          last_name: string
          phone: string | null
          phone_audience: string | null
          push_token: string | null
          rally_enabled: boolean
          role: string
          sponsor_id: string | null
          state: string | null
          status: string
        }
        ComputedFields: never
        Insert: {
          about?: string | null
          archived_chats?: string[] | null
          can_create_chats?: boolean | null
          can_send_messages?: boolean | null
          can_supervise?: boolean | null
          created_at?: string | null
          email?: string | null
          email_audience?: string | null
          first_name?: string | null
          hidden_chats?: string[] | null
          id?: string | null
          is_active?: boolean | null
          last_name?: string | null
          phone?: string | null
          phone_audience?: string | null
          push_token?: string | null
          rally_enabled?: boolean | null
          role?: string | null
          sponsor_id?: string | null
          state?: string | null
          status?: string | null
        }
        Update: {
          about?: string | null
          archived_chats?: string[] | null
          can_create_chats?: boolean | null
          can_send_messages?: boolean | null
          can_supervise?: boolean | null
          created_at?: string | null
          email?: string | null
          email_audience?: string | null
          first_name?: string | null
          hidden_chats?: string[] | null
          id?: string | null
          is_active?: boolean | null
          last_name?: string | null
          phone?: string | null
          phone_audience?: string | null
          push_token?: string | null
          rally_enabled?: boolean | null
          role?: string | null
          sponsor_id?: string | null
          state?: string | null
          status?: string | null
        }
        Relationships: [
          {
            foreignKeyName: 'members_sponsor_id_fkey'
            columns: ['sponsor_id']
            isOneToOne: false
            referencedRelation: 'users'
            referencedColumns: ['id']
          },
        ]
      }
    }
    Functions: {
      accept_house_rules: { Args: { version: number }; Returns: undefined }
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
      acts_as_supervisor: { Args: Record<PropertyKey, never>; Returns: boolean }
      add_chat_members: { Args: { chat_id: string; member_ids: string[] }; Returns: undefined }
      admin_dashboard: {
        Args: Record<PropertyKey, never>
        Returns: {
          broken_links: number
          new_this_week: number
          next_meeting_at: string
          next_meeting_title: string
          stuck: number
          system_problems: number
          system_wrong: string[]
          unacknowledged_notices: number
          undelivered_invitations: number
          waiting: number
        }[]
      }
      app_error_list: {
        Args: Record<PropertyKey, never>
        Returns: {
          began_at: string
          browser: string
          kind: string
          last_at: string
          places: string[]
          reports: number
          screen: string
        }[]
      }
      archive_head: {
        Args: Record<PropertyKey, never>
        Returns: {
          hash: string
          last_record: number
          seal: number
          sealed_at: string
        }[]
      }
      archive_retention: {
        Args: Record<PropertyKey, never>
        Returns: {
          category: string
          years: number
        }[]
      }
      assign_review_item: {
        Args: { assignee: string; event_id?: string; if_version: number; item_id: string }
        Returns: undefined
      }
      audit_entries: {
        Args: {
          actor?: string
          before_id?: number
          before_time?: string
          by_server?: boolean
          max_results?: number
          member?: string
          of_kind?: string
          query?: string
          since?: string
          until?: string
        }
        Returns: {
          action: string
          actor_id: string
          after: Json
          before: Json
          details: Json
          id: number
          kind: string
          names: Json
          object_id: string
          object_name: string
          people: string[]
          people_count: number
          recorded_at: string
        }[]
      }
      backup_state: {
        Args: Record<PropertyKey, never>
        Returns: {
          address: string
          bytes: number
          failed_at: string
          failure: string
          file_count: number
          is_good: boolean
          missing_files: number
          row_count: number
          running_since: string
          verified_at: string
        }[]
      }
      block_member: { Args: { member_id: string }; Returns: undefined }
      blocked_people: {
        Args: Record<PropertyKey, never>
        Returns: {
          blocked_at: string
          first_name: string
          id: string
          last_name: string
          rests: boolean
        }[]
      }
      broken_links: {
        Args: Record<PropertyKey, never>
        Returns: {
          checked_at: string
          content_type: string
          failing_since: string
          item_id: string
          problem: string
          title: string
          url: string
        }[]
      }
      cancel_my_email_change: { Args: Record<PropertyKey, never>; Returns: boolean }
      changed_tables: { Args: { seconds: number }; Returns: string[] }
      chat_changes: {
        Args: { chat_id: string; max_results?: number; since: string }
        Returns: {
          attachment: Json
          changed_at: string
          chat_id: string
          deleted_reason: string
          edited_at: string
          forwarded_from: string
          id: string
          is_deleted: boolean
          is_removed: boolean
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
          draft: string
          draft_at: string
          is_archived: boolean
          is_hidden: boolean
          is_marked_unread: boolean
          is_mentioned: boolean
          is_pinned: boolean
          last_message: string
          last_message_at: string
          last_message_id: string
          last_read_at: string
          last_sender_id: string
          last_sender_name: string
          member_count: number
          mentions_only: boolean
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
      chats_with_member: {
        Args: { query: string }
        Returns: {
          chat_id: string
          first_name: string
          found: number
          last_name: string
        }[]
      }
      check_links_again: { Args: Record<PropertyKey, never>; Returns: undefined }
      claim_account_mails: {
        Args: { max_results?: number }
        Returns: {
          email: string
          event: string
          happened_at: string
          language: string
        }[]
      }
      claim_backup: { Args: { due_at: string; kept?: string[] }; Returns: string }
      claim_links: { Args: { max_results?: number }; Returns: string[] }
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
      claim_team: { Args: { code: string }; Returns: boolean }
      confirm_setup_item: { Args: { is_done: boolean; item: string }; Returns: undefined }
      count_invitations: {
        Args: Record<PropertyKey, never>
        Returns: {
          accepted: number
          bounced: number
          expired: number
          pending: number
          revoked: number
        }[]
      }
      count_members: {
        Args: Record<PropertyKey, never>
        Returns: {
          active: number
          admins: number
          declined: number
          never_opened: number
          new: number
          removed: number
          silent: number
          stuck: number
          suspended: number
          waiting: number
        }[]
      }
      count_notice_recipients: {
        Args: {
          audience: string
          audience_chat_id?: string
          audience_members?: string[]
          audience_role?: string
        }
        Returns: number
      }
      create_chat: {
        Args: { first_message: string; member_ids: string[]; message_id?: string; name: string }
        Returns: string
      }
      create_recovery_codes: { Args: Record<PropertyKey, never>; Returns: string[] }
      decide_review_item: {
        Args: {
          event_id?: string
          if_version: number
          item_id: string
          note: string
          outcome: string
        }
        Returns: undefined
      }
      delete_my_account: { Args: Record<PropertyKey, never>; Returns: undefined }
      email_confirmed: { Args: { user_id: string }; Returns: boolean }
      export_my_data: { Args: { page?: number }; Returns: Json }
      export_search: {
        Args: {
          before_seq?: number
          chat?: string
          from_time?: string
          kind?: string
          max_results?: number
          person?: string
          reason: string
          to_time?: string
          words?: string
        }
        Returns: {
          line: string
          seq: number
        }[]
      }
      find_chats: {
        Args: { max_results?: number; query?: string }
        Returns: {
          id: string
          members: number
          title: string
          type: string
        }[]
      }
      find_groups: {
        Args: { max_results?: number; query?: string }
        Returns: {
          id: string
          members: number
          title: string
        }[]
      }
      forget_process: { Args: { process_id: string }; Returns: undefined }
      get_user_count: { Args: Record<PropertyKey, never>; Returns: number }
      house_rules: {
        Args: Record<PropertyKey, never>
        Returns: {
          body: string
          contact: string
          may_edit: boolean
          must_accept: boolean
          version: number
        }[]
      }
      index_archive: { Args: { max_seals?: number }; Returns: Json }
      invitation_state: { Args: { invitation_id: string }; Returns: string }
      join_link_state: { Args: { token: string }; Returns: string }
      join_team: { Args: { join_token?: string }; Returns: string }
      keep_backup_claim: { Args: { backup_id: string }; Returns: undefined }
      known_addresses: {
        Args: { emails: string[] }
        Returns: {
          email: string
          since: string
          state: string
        }[]
      }
      legal_holds: {
        Args: Record<PropertyKey, never>
        Returns: {
          chat_id: string
          id: string
          lift_reason: string
          lifted_at: string
          lifted_by_name: string
          member_id: string
          name: string
          placed_at: string
          placed_by: string
          placed_by_name: string
          reason: string
        }[]
      }
      lexicon: {
        Args: Record<PropertyKey, never>
        Returns: {
          category: string
          caught: number
          exceptions: string[]
          id: string
          is_active: boolean
          language: string
          near: string
          phrase: string
          updated_at: string
          updated_by: string
          violations: number
          within: number
        }[]
      }
      lift_legal_hold: { Args: { hold_id: string; reason: string }; Returns: undefined }
      link_preview: { Args: { link: string; message_id: string }; Returns: Json }
      list_invitations: {
        Args: { filter?: string; max_results?: number; query?: string; skip?: number }
        Returns: {
          accepted_at: string
          accepted_by: string
          accepted_first_name: string
          accepted_last_name: string
          bounce_reason: string
          bounced_at: string
          created_at: string
          email: string
          expires_at: string
          first_name: string
          id: string
          invited_by: string
          invited_by_first_name: string
          invited_by_last_name: string
          last_name: string
          last_sent_at: string
          locale: string
          needs_password: boolean
          revoked_at: string
          state: string
          times_sent: number
        }[]
      }
      list_join_links: {
        Args: { max_results?: number; skip?: number }
        Returns: {
          created_at: string
          created_by: string
          expires_at: string
          first_name: string
          id: string
          joined: number
          last_name: string
          revoked_at: string
          state: string
        }[]
      }
      list_members: {
        Args: { filter?: string; max_results?: number; query?: string; skip?: number }
        Returns: {
          can_supervise: boolean
          email: string
          first_name: string
          id: string
          joined_at: string
          last_active_at: string
          last_name: string
          role: string
          sponsor_name: string
          status: string
          status_changed_at: string
        }[]
      }
      list_people: {
        Args: {
          after_first_name?: string
          after_id?: string
          after_last_name?: string
          in_state?: string
          leader_id?: string
          max_results?: number
          query?: string
          with_role?: string
        }
        Returns: {
          can_supervise: boolean
          email: string
          first_name: string
          id: string
          is_vice_president: boolean
          last_name: string
          role: string
          state: string
        }[]
      }
      look_at_chat: {
        Args: { chat_id: string; look_id?: string; message_id?: string; reason: string }
        Returns: string
      }
      look_messages: {
        Args: { before_seq?: number; look_id: string; max_results?: number }
        Returns: {
          changes: Json
          has_image: boolean
          image: Json
          member_id: string
          member_name: string
          message_id: string
          reply_to: string
          sent_at: string
          seq: number
          words: string
        }[]
      }
      mark_chat_read: { Args: { chat_id: string; read_until?: string }; Returns: undefined }
      mark_chat_unread: { Args: { chat_id: string }; Returns: undefined }
      mark_newcomers_seen: { Args: Record<PropertyKey, never>; Returns: undefined }
      mark_notice_opened: { Args: { notice_id: string }; Returns: undefined }
      mark_notices_shown: { Args: { notice_ids: string[] }; Returns: undefined }
      mark_notifications_read: {
        Args: { notice_ids?: string[]; until: string }
        Returns: undefined
      }
      mark_reports_seen: { Args: Record<PropertyKey, never>; Returns: undefined }
      member_details: {
        Args: { member_id: string }
        Returns: {
          brought_in: number
          can_be_undecided: boolean
          can_create_chats: boolean
          can_send_messages: boolean
          can_supervise: boolean
          counts_for_name: string
          devices: number
          downline: number
          email: string
          first_name: string
          groups_led: number
          has_second_factor: boolean
          id: string
          invited_by_name: string
          is_vice_president: boolean
          joined_at: string
          last_active_at: string
          last_name: string
          rally_enabled: boolean
          role: string
          sessions: number
          sponsor_id: string
          sponsor_name: string
          status: string
          status_changed_at: string
          status_changed_by_name: string
          status_reason: string
          steps_done: number
          steps_total: number
        }[]
      }
      member_profile: {
        Args: { member_id: string }
        Returns: {
          about: string
          brought_in: number
          can_supervise: boolean
          chat_id: string
          email: string
          first_name: string
          id: string
          is_active: boolean
          is_vice_president: boolean
          last_name: string
          phone: string
          role: string
          sponsor_id: string
          sponsor_name: string
          state: string
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
      my_membership: {
        Args: Record<PropertyKey, never>
        Returns: {
          has_admin: boolean
          refusal: string
          status: string
          takes_set_up_code: boolean
        }[]
      }
      my_notifications: {
        Args: { before?: string; before_id?: string; max_results?: number }
        Returns: {
          acknowledged_at: string
          at: string
          author: string
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
      my_reports: {
        Args: { before?: string; max_results?: number }
        Returns: {
          closed_at: string
          created_at: string
          id: string
          is_unread: boolean
          member_id: string
          member_name: string
          message: string
          message_id: string
          note: string
          outcome: string
          reason: string
        }[]
      }
      my_saved_messages: {
        Args: { before?: string; max_results?: number }
        Returns: {
          chat_id: string
          chat_title: string
          message: string
          message_id: string
          saved_at: string
          sender_id: string
          sender_name: string
          sent_at: string
        }[]
      }
      my_sponsor: {
        Args: Record<PropertyKey, never>
        Returns: {
          first_name: string
          id: string
          last_name: string
        }[]
      }
      my_unacknowledged_notices: {
        Args: Record<PropertyKey, never>
        Returns: {
          acknowledged_at: string
          at: string
          author: string
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
      note_bounce: {
        Args: { address: string; mailed_at?: string; reason: string }
        Returns: undefined
      }
      note_review_item: {
        Args: { event_id?: string; item_id: string; note: string }
        Returns: undefined
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
        Args: { filter?: string; max_results?: number; query?: string; skip?: number }
        Returns: {
          done_count: number
          email: string
          first_name: string
          is_stuck: boolean
          joined_at: string
          last_done_at: string
          last_name: string
          members_found: number
          next_title: string
          total_count: number
          user_id: string
        }[]
      }
      open_review_item: { Args: { item_id: string }; Returns: string }
      order_vice_presidents: { Args: { member_ids: string[] }; Returns: undefined }
      people_states: { Args: Record<PropertyKey, never>; Returns: string[] }
      pin_chat: { Args: { chat_id: string; is_pinned?: boolean }; Returns: undefined }
      place_legal_hold: {
        Args: { chat_id?: string; hold_id?: string; member_id?: string; reason: string }
        Returns: string
      }
      plan_invitations: {
        Args: { language?: string; people: Json }
        Returns: {
          email: string
          invitation_id: string
          invited_by_name: string
          state: string
        }[]
      }
      prepare_invitation_mail: { Args: { invitation_id: string }; Returns: string }
      prune_archive: { Args: { max_records?: number }; Returns: number }
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
      put_setup_away: { Args: { is_away: boolean }; Returns: undefined }
      record_archive_file: {
        Args: { bytes?: number; path: string; sha256?: string }
        Returns: undefined
      }
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
      remove_message: { Args: { message_id: string; reason: string }; Returns: undefined }
      remove_push_device: { Args: { token: string }; Returns: undefined }
      renew_invitation: {
        Args: { invitation_id: string }
        Returns: {
          email: string
          first_name: string
          invited_by_name: string
          last_name: string
          locale: string
        }[]
      }
      reopen_review_item: {
        Args: { event_id?: string; if_version: number; item_id: string; note: string }
        Returns: undefined
      }
      reorder_content: { Args: { content_type: string; item_ids: string[] }; Returns: undefined }
      report_app_error: {
        Args: { browser: string; kind: string; places: string[]; screen: string }
        Returns: undefined
      }
      report_links: { Args: { results: Json }; Returns: undefined }
      report_member: {
        Args: { member_id: string; note?: string; reason: string; report_id?: string }
        Returns: string
      }
      report_message: {
        Args: { message_id: string; note?: string; reason: string; report_id?: string }
        Returns: string
      }
      report_process: {
        Args: { facts: Json; process_id: string; started_at: string }
        Returns: Json
      }
      report_push_channels: { Args: { channels: Json }; Returns: undefined }
      report_system_check: { Args: { part: string; result: Json }; Returns: undefined }
      report_system_state: { Args: { parts: Json }; Returns: undefined }
      require_live_session: { Args: Record<PropertyKey, never>; Returns: undefined }
      reset_second_factor: { Args: { member_id: string; reason: string }; Returns: boolean }
      restore_message: { Args: { message_id: string }; Returns: undefined }
      review_counts: {
        Args: Record<PropertyKey, never>
        Returns: {
          for_others: number
          lexicon: number
          mine: number
          open: number
          report: number
          sample: number
        }[]
      }
      review_figures: {
        Args: { leader_id?: string; weeks?: number }
        Returns: {
          fine: number
          follow_up: number
          lexicon: number
          median_hours: number
          messages: number
          open: number
          report: number
          reviewed: number
          sample: number
          violation: number
          week: string
        }[]
      }
      review_item: {
        Args: { item_id: string }
        Returns: {
          assigned_name: string
          assigned_to: string
          caught: Json
          chat_id: string
          chat_title: string
          closed_at: string
          created_at: string
          events: Json
          id: string
          leader_name: string
          member_id: string
          member_name: string
          message_id: string
          occurred_at: string
          of_week: string
          outcome: string
          percent: number
          record_seq: number
          report_note: string
          report_reason: string
          reporter_name: string
          source: string
          version: number
          words: string
        }[]
      }
      review_new_messages: { Args: { max_seals?: number }; Returns: Json }
      review_queue: {
        Args: {
          after_id?: string
          after_time?: string
          max_results?: number
          of_source?: string
          state?: string
        }
        Returns: {
          assigned_name: string
          assigned_to: string
          caught: Json
          chat_id: string
          chat_title: string
          closed_at: string
          created_at: string
          id: string
          member_id: string
          member_name: string
          occurred_at: string
          outcome: string
          report_reason: string
          source: string
          words: string
        }[]
      }
      review_sampling: {
        Args: Record<PropertyKey, never>
        Returns: {
          leader_id: string
          leader_name: string
          percent: number
        }[]
      }
      reviews_waiting: { Args: Record<PropertyKey, never>; Returns: number }
      revoke_invitations: { Args: { invitation_ids: string[] }; Returns: number }
      save_draft: {
        Args: { age_ms: number; chat_id: string; device: string; message: string }
        Returns: string
      }
      save_goal: {
        Args: { metric: string; own_ratios?: Json; period: string; position: string; value: number }
        Returns: string
      }
      save_house_rules: {
        Args: { ask_again?: boolean; body: string; contact: string }
        Returns: undefined
      }
      save_lexicon_entry: {
        Args: {
          category: string
          entry_id: string
          exceptions?: string[]
          is_active?: boolean
          language: string
          near?: string
          phrase: string
          within?: number
        }
        Returns: undefined
      }
      save_link_preview: {
        Args: { description: string; site: string; title: string; url: string }
        Returns: Json
      }
      seal_archive: { Args: { max_seals?: number }; Returns: Json }
      search_archive: {
        Args: {
          before_seq?: number
          chat?: string
          from_time?: string
          kind?: string
          max_results?: number
          person?: string
          reason: string
          to_time?: string
          words?: string
        }
        Returns: {
          actor_email: string
          actor_name: string
          actor_role: string
          chat_id: string
          chat_title: string
          member_name: string
          record_kind: string
          recorded_at: string
          said: string
          search_seq: number
          seq: number
          subject_id: string
          versions: Json
        }[]
      }
      search_everything: {
        Args: {
          has_image?: boolean
          place?: string
          query?: string
          sender?: string
          until?: string
        }
        Returns: {
          at: string
          chat_id: string
          detail: string
          id: string
          is_near: boolean
          kind: string
          snippet: string
          title: string
        }[]
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
        Args: { in_chat?: string; max_results?: number; query: string }
        Returns: {
          chat_id: string
          chat_title: string
          is_near: boolean
          message_id: string
          rank: number
          sender_id: string
          sender_name: string
          sent_at: string
          snippet: string
        }[]
      }
      send_test_push: { Args: { device_id: string }; Returns: undefined }
      server_figures: {
        Args: Record<PropertyKey, never>
        Returns: {
          active_members: number
          backed_up_at: string
          backup_problems: number
          push_failed: number
          push_waiting: number
        }[]
      }
      set_archive_retention: { Args: { category: string; years: number }; Returns: undefined }
      set_member_status: {
        Args: { if_status?: string; member_id: string; reason?: string; status: string }
        Returns: undefined
      }
      set_review_sampling: { Args: { leader_id?: string; percent: number }; Returns: undefined }
      set_sponsor: { Args: { member_id: string; sponsor_id: string }; Returns: undefined }
      set_supervisor: { Args: { can_supervise: boolean; member_id: string }; Returns: undefined }
      set_vice_president: {
        Args: { is_vice_president: boolean; member_id: string }
        Returns: undefined
      }
      setting_changes: {
        Args: Record<PropertyKey, never>
        Returns: {
          changed_at: string
          changed_by: string
          email: string
          first_name: string
          last_name: string
          setting: string
        }[]
      }
      settle_backup: { Args: { backup_id: string; result: Json }; Returns: undefined }
      settle_invitation_mail: { Args: { invitation_id: string }; Returns: string }
      settle_push_deliveries: { Args: { results: Json }; Returns: undefined }
      setup_checklist: {
        Args: Record<PropertyKey, never>
        Returns: {
          backup: boolean
          confirmable: string[]
          invitations: boolean
          is_put_away: boolean
          mail: boolean
          meeting: boolean
          new_rep_start: boolean
          push: boolean
          second_admin: boolean
          time_zone: boolean
          vice_presidents: boolean
          welcome: boolean
        }[]
      }
      show_join_link: { Args: { link_id: string }; Returns: string }
      sign_up_outcome: { Args: { domain?: string; join_token?: string }; Returns: string }
      supervisors: {
        Args: Record<PropertyKey, never>
        Returns: {
          email: string
          first_name: string
          id: string
          last_name: string
        }[]
      }
      system_status: {
        Args: Record<PropertyKey, never>
        Returns: {
          code: string
          detail: Json
          part: string
          scope: string
          state: string
        }[]
      }
      take_app_errors: {
        Args: Record<PropertyKey, never>
        Returns: {
          browser: string
          kind: string
          places: string[]
          reports: number
          screen: string
        }[]
      }
      take_archive_files: {
        Args: { max_results?: number }
        Returns: {
          message_id: string
          path: string
        }[]
      }
      take_back_join_link: { Args: { link_id: string }; Returns: undefined }
      take_unused_images: { Args: { max_results?: number }; Returns: string[] }
      test_lexicon: {
        Args: { words: string }
        Returns: {
          category: string
          id: string
          near: string
          phrase: string
        }[]
      }
      unacknowledged_notices: {
        Args: Record<PropertyKey, never>
        Returns: {
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
          updated_at: string | null
          updated_by: string | null
        }[]
        SetofOptions: {
          from: '*'
          to: 'team_notices'
          isOneToOne: false
          isSetofReturn: true
        }
      }
      unblock_member: { Args: { member_id: string }; Returns: undefined }
      unread_notification_count: { Args: Record<PropertyKey, never>; Returns: number }
      use_recovery_code: { Args: { code: string }; Returns: string }
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
