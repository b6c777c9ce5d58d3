// Generated from supabase/migrations by `npm run database-types`. Do not edit.

export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[]

export type Database = {
  public: {
    Tables: {
      chat_messages: {
        Row: {
          chat_id: string
          edited_at: string | null
          id: string
          is_deleted: boolean
          message: string
          sender_id: string
          sent_at: string
        }
        ComputedFields: never
        Insert: {
          chat_id: string
          edited_at?: string | null
          id?: string
          is_deleted?: boolean
          message: string
          sender_id: string
          sent_at?: string
        }
        Update: {
          chat_id?: string
          edited_at?: string | null
          id?: string
          is_deleted?: boolean
          message?: string
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
            foreignKeyName: 'chat_messages_sender_id_fkey'
            columns: ['sender_id']
            isOneToOne: false
            referencedRelation: 'users'
            referencedColumns: ['id']
          },
        ]
      }
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
          chat_id: string
          is_active?: boolean
          joined_at?: string
          last_read_at?: string | null
          muted_until?: string | null
          user_id: string
        }
        Update: {
          chat_id?: string
          is_active?: boolean
          joined_at?: string
          last_read_at?: string | null
          muted_until?: string | null
          user_id?: string
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
      home_content: {
        Row: {
          category: string
          description: string | null
          id: string
          image_url: string | null
          is_active: boolean
          sort_order: number
          title: string
          url: string | null
        }
        ComputedFields: never
        Insert: {
          category?: string
          description?: string | null
          id?: string
          image_url?: string | null
          is_active?: boolean
          sort_order?: number
          title: string
          url?: string | null
        }
        Update: {
          category?: string
          description?: string | null
          id?: string
          image_url?: string | null
          is_active?: boolean
          sort_order?: number
          title?: string
          url?: string | null
        }
        Relationships: []
      }
      licensing_content: {
        Row: {
          category: string
          description: string | null
          id: string
          image_url: string | null
          is_active: boolean
          sort_order: number
          title: string
          url: string | null
        }
        ComputedFields: never
        Insert: {
          category: string
          description?: string | null
          id?: string
          image_url?: string | null
          is_active?: boolean
          sort_order?: number
          title: string
          url?: string | null
        }
        Update: {
          category?: string
          description?: string | null
          id?: string
          image_url?: string | null
          is_active?: boolean
          sort_order?: number
          title?: string
          url?: string | null
        }
        Relationships: []
      }
      newrepstart_content: {
        Row: {
          category: string
          description: string | null
          id: string
          image_url: string | null
          is_active: boolean
          sort_order: number
          title: string
          url: string | null
        }
        ComputedFields: never
        Insert: {
          category?: string
          description?: string | null
          id?: string
          image_url?: string | null
          is_active?: boolean
          sort_order?: number
          title: string
          url?: string | null
        }
        Update: {
          category?: string
          description?: string | null
          id?: string
          image_url?: string | null
          is_active?: boolean
          sort_order?: number
          title?: string
          url?: string | null
        }
        Relationships: []
      }
      schedule_content: {
        Row: {
          category: string
          day_of_week: string
          description: string | null
          end_time: string
          id: string
          image_url: string | null
          is_active: boolean
          meeting_id: string | null
          meeting_password: string | null
          sort_order: number
          start_time: string
          title: string
          url: string | null
        }
        ComputedFields: never
        Insert: {
          category?: string
          day_of_week?: string
          description?: string | null
          end_time: string
          id?: string
          image_url?: string | null
          is_active?: boolean
          meeting_id?: string | null
          meeting_password?: string | null
          sort_order?: number
          start_time: string
          title: string
          url?: string | null
        }
        Update: {
          category?: string
          day_of_week?: string
          description?: string | null
          end_time?: string
          id?: string
          image_url?: string | null
          is_active?: boolean
          meeting_id?: string | null
          meeting_password?: string | null
          sort_order?: number
          start_time?: string
          title?: string
          url?: string | null
        }
        Relationships: []
      }
      team_settings: {
        Row: {
          id: boolean
          seen_by_enabled: boolean
          time_zone: string
        }
        ComputedFields: never
        Insert: {
          id?: boolean
          seen_by_enabled?: boolean
          time_zone?: string
        }
        Update: {
          id?: boolean
          seen_by_enabled?: boolean
          time_zone?: string
        }
        Relationships: []
      }
      training_content: {
        Row: {
          category: string
          description: string | null
          id: string
          image_url: string | null
          is_active: boolean
          sort_order: number
          title: string
          url: string | null
        }
        ComputedFields: never
        Insert: {
          category: string
          description?: string | null
          id?: string
          image_url?: string | null
          is_active?: boolean
          sort_order?: number
          title: string
          url?: string | null
        }
        Update: {
          category?: string
          description?: string | null
          id?: string
          image_url?: string | null
          is_active?: boolean
          sort_order?: number
          title?: string
          url?: string | null
        }
        Relationships: []
      }
    }
    Views: {
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
        }
        Relationships: []
      }
    }
    Functions: {
      chat_list: {
        Args: Record<PropertyKey, never>
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
          name: string
          other_user_id: string
          title: string
          type: string
          unread_count: number
        }[]
      }
      create_chat: {
        Args: { first_message: string; member_ids: string[]; message_id?: string; name: string }
        Returns: string
      }
      email_confirmed: { Args: { user_id: string }; Returns: boolean }
      get_user_count: { Args: Record<PropertyKey, never>; Returns: number }
      mark_chat_read: { Args: { chat_id: string }; Returns: undefined }
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
