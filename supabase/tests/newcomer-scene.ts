// Builders for people who are not on the team: accounts of all kinds, links and invitations.
import { randomUUID } from 'node:crypto'
import { createClient } from '@supabase/supabase-js'
import { WebSocket } from 'ws'
import { aToken, type Person, type Team } from './team.ts'

export type Newcomer = { email?: string; data?: Record<string, unknown>; isConfirmed?: boolean }

export function newcomerScene(team: Team, admin: Person) {
  const { sql, backend } = team

  async function aClient({ id }: { id: string }, ownFetch = fetch) {
    const token = await aToken(backend, id)
    return createClient(backend.url, backend.publishableKey, {
      auth: { persistSession: false, autoRefreshToken: false },
      global: { fetch: ownFetch },
      realtime: { transport: WebSocket as never },
      accessToken: () => Promise.resolve(token),
    })
  }

  return {
    /** How people come onto the team from now on. */
    rule: (registration: string, domains: string[] = []) =>
      sql('update public.team_settings set registration = $1, email_domains = $2', [
        registration,
        domains,
      ]),

    /** An account as the auth service stores it, with the names and data of its sign-up. */
    async anAccount({ email, data = {}, isConfirmed = true }: Newcomer = {}): Promise<Person> {
      const id = randomUUID()
      const address = email ?? `${id}@example.com`
      await sql(
        `insert into auth.users (id, email, aud, role, email_confirmed_at, created_at, raw_user_meta_data)
         values ($1, $2, 'authenticated', 'authenticated', case when $4 then now() end, now(), $3)`,
        [id, address, { first_name: 'Nell', last_name: 'Park', ...data }, isConfirmed],
      )
      return { id, email: address, client: await aClient({ id }) }
    },

    aClient,

    confirm: ({ id }: { id: string }) =>
      sql('update auth.users set email_confirmed_at = now() where id = $1', [id]),

    async aLink({ by = admin, lasts = '7 days' } = {}): Promise<{ id: string; token: string }> {
      const [link] = await sql<{ id: string; token: string }>(
        `insert into public.join_links (created_by, created_at, expires_at)
         values ($1, now() - interval '1 day', now() + $2::interval) returning id, token`,
        [by.id, lasts],
      )
      return link!
    },

    async anInvitation(email: string, { by = admin, lasts = '7 days' } = {}): Promise<string> {
      const [row] = await sql<{ id: string }>(
        `insert into public.invitations (email, invited_by, expires_at)
         values ($1, $2, now() + $3::interval) returning id`,
        [email, by.id, lasts],
      )
      return row!.id
    },

    /** The member's row; undefined for an account that is not let in. */
    async memberOf({ id }: { id: string }) {
      const [row] = await sql<{ status: string; role: string; sponsor_id: string | null }>(
        'select status, role, sponsor_id from private.members where id = $1',
        [id],
      )
      return row
    },
  }
}
