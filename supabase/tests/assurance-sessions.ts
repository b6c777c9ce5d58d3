// Sessions of members with and without a second factor, as the auth service stores them.
import { randomUUID } from 'node:crypto'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { WebSocket } from 'ws'
import type { Person, Team } from './team.ts'

export type Assurance = 'aal1' | 'aal2'
export type Device = Person & { sessionId: string }

/** One device of the member, in a session that has shown a second factor (aal2) or not. */
export async function aDevice(
  { backend, sql }: Team,
  { id, email }: Person,
  aal: Assurance,
): Promise<Device> {
  const sessionId = randomUUID()
  await sql(
    'insert into auth.sessions (id, user_id, created_at, updated_at, aal) values ($1, $2, now(), now(), $3)',
    [sessionId, id, aal],
  )
  return { id, email, sessionId, client: await aClient(backend, { id, sessionId, aal }) }
}

/** A client with an access token that says so, whatever the session is. */
export async function aClient(
  backend: Team['backend'],
  { id, sessionId, aal }: { id: string; sessionId: string; aal: Assurance },
): Promise<SupabaseClient> {
  const iat = Math.floor(backend.clock.now() / 1000)
  // No password: with one that was just typed, an account can be deleted.
  const amr = [{ method: 'otp', timestamp: iat }]
  const claims = { sub: id, role: 'authenticated', session_id: sessionId, aal, amr, iat }
  const token = await backend.tokens.sign({ ...claims, exp: iat + 3600 })
  return createClient(backend.url, backend.publishableKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    realtime: { transport: WebSocket as never },
    accessToken: () => Promise.resolve(token),
  })
}

/** Gives the member an authenticator app, or one whose set-up is not finished. */
export async function aFactor({ sql }: Team, { id }: Person, status = 'verified'): Promise<string> {
  const [row] = await sql<{ id: string }>(
    `insert into auth.mfa_factors (id, user_id, factor_type, status, secret, created_at, updated_at)
     values (gen_random_uuid(), $1, 'totp', $2, 'JBSWY3DPEHPK3PXP', now(), now()) returning id`,
    [id, status],
  )
  return row?.id ?? ''
}

export async function noFactor({ sql }: Team, { id }: Person): Promise<void> {
  await sql('delete from auth.mfa_factors where user_id = $1', [id])
}

/** Sets the team's rule that admins need a second factor. */
export async function adminsNeedFactor({ sql }: Team, isNeeded: boolean): Promise<void> {
  await sql('update public.team_settings set admins_need_second_factor = $1', [isNeeded])
}
