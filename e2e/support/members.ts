import { randomUUID } from 'node:crypto'
import ws from 'ws'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { publicKey, secretKey, serverUrl } from './server.ts'

export const PASSWORD = 'a-long-password'

export type Member = {
  id: string
  email: string
  firstName: string
  lastName: string
  password: string
  /** Calls the backend as this member, without a browser. */
  client: SupabaseClient
}

type MemberOptions = {
  firstName?: string
  lastName?: string
  role?: 'admin' | 'user'
  /** Columns of the users row, such as `can_send_messages`. */
  permissions?: Record<string, boolean>
}

/** A verified member for a single test, so that tests don't interfere. */
export async function aMember(options: MemberOptions = {}): Promise<Member> {
  const { firstName = 'Casey', lastName = 'Tester', role, permissions } = options
  const email = `${firstName}.${randomUUID().slice(0, 8)}@example.com`.toLowerCase()
  const service = await newClient(secretKey())
  const { data, error } = await service.auth.admin.createUser({
    email,
    password: PASSWORD,
    email_confirm: true,
    user_metadata: { first_name: firstName, last_name: lastName },
  })
  if (error) throw error
  const changes = { ...(role ? { role } : {}), ...permissions }
  if (Object.keys(changes).length) {
    const updated = await service.from('users').update(changes).eq('id', data.user.id)
    if (updated.error) throw new Error(updated.error.message)
  }
  const client = await newClient(await publicKey())
  const signedIn = await client.auth.signInWithPassword({ email, password: PASSWORD })
  if (signedIn.error) throw signedIn.error
  return { id: data.user.id, email, firstName, lastName, password: PASSWORD, client }
}

/** Bypasses every policy, to arrange what no member may do. */
export async function serviceClient(): Promise<SupabaseClient> {
  return newClient(secretKey())
}

async function newClient(key: string): Promise<SupabaseClient> {
  return createClient(serverUrl(), key, {
    auth: { persistSession: false, autoRefreshToken: false },
    realtime: { transport: ws as unknown as typeof WebSocket },
  })
}
