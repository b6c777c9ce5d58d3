// Sessions of members with and without a second factor, as the auth service stores them.
import { randomUUID } from 'node:crypto'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { WebSocket } from 'ws'
import type { Person, Team } from './team.ts'

export type Assurance = 'aal1' | 'aal2'
export type Device = Person & { sessionId: string }

/** A session of the member's that has shown a second factor (aal2) or not. @returns its id */
export async function aSession({ sql }: Team, { id }: Person, aal: Assurance): Promise<string> {
  const sessionId = randomUUID()
  await sql(
    'insert into auth.sessions (id, user_id, created_at, updated_at, aal) values ($1, $2, now(), now(), $3)',
    [sessionId, id, aal],
  )
  return sessionId
}

/** One device of the member, in such a session. */
export async function aDevice(team: Team, person: Person, aal: Assurance): Promise<Device> {
  const { id, email } = person
  const sessionId = await aSession(team, person, aal)
  return { id, email, sessionId, client: await aClient(team.backend, { id, sessionId, aal }) }
}

type Claimed = {
  id: string
  sessionId: string
  aal: Assurance
  /** When its owner signed in; now if left out. */
  provedAt?: number
}

/** An access token that says so, whatever the session is. */
export function aToken(
  { clock, tokens }: Team['backend'],
  { id, sessionId, aal, provedAt = clock.now() }: Claimed,
): Promise<string> {
  const iat = Math.floor(clock.now() / 1000)
  // No password: with one that was just typed, an account can be deleted.
  const amr = [{ method: 'otp', timestamp: Math.floor(provedAt / 1000) }]
  const claims = { sub: id, role: 'authenticated', session_id: sessionId, aal, amr, iat }
  return tokens.sign({ ...claims, exp: iat + 3600 })
}

/** A client with such a token. */
export async function aClient(backend: Team['backend'], claimed: Claimed): Promise<SupabaseClient> {
  const token = await aToken(backend, claimed)
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

/** Turns on a factor that is being set up, in a new session that its code raises. */
export async function verifyFactor({ sql }: Team, { id }: Person, factor: string): Promise<void> {
  await sql(
    `with session as (
       insert into auth.sessions (id, user_id, created_at, updated_at, aal, factor_id)
       values (gen_random_uuid(), $1, now(), now(), 'aal2', $2) returning id
     ), proof as (
       insert into auth.mfa_amr_claims (id, session_id, created_at, updated_at, authentication_method)
       select gen_random_uuid(), id, now(), now(), 'password' from session
     )
     update auth.mfa_factors set status = 'verified' where id = $2`,
    [id, factor],
  )
}

export async function noFactor({ sql }: Team, { id }: Person): Promise<void> {
  await sql('delete from auth.mfa_factors where user_id = $1', [id])
}

/** Sets the team's rule that admins need a second factor. */
export async function adminsNeedFactor({ sql }: Team, isNeeded: boolean): Promise<void> {
  await sql('update public.team_settings set admins_need_second_factor = $1', [isNeeded])
}
