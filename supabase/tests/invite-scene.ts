// A team with real sessions, and the function `invite` served in-process and, optionally, under Deno.
import { randomUUID } from 'node:crypto'
import { createClient } from '@supabase/supabase-js'
import pg from 'pg'
import { WebSocket } from 'ws'
import { startTestBackend, type TestBackend } from 'backend/testing/start-test-backend.ts'
import { noteBounce } from '../../server/src/note-bounce.ts'
import { handleInviteRequest } from '../functions/invite/handle-invite-request.ts'
import { OPEN_TO_EVERYBODY } from './team.ts'

const PASSWORD = 'correct horse'

export type InviteScene = Awaited<ReturnType<typeof inviteScene>>
export type InviteResponse = {
  status: number
  message?: string
  results?: { email: string; outcome: string; message?: string }[]
}

/** Replaces a response of the project, such as a mail server that is down. */
type RespondFirst = (request: Request) => Response | undefined | Promise<undefined>

export async function inviteScene({ smtpUrl }: { smtpUrl?: string } = {}) {
  let respondFirst: RespondFirst | undefined
  const backend: TestBackend = await startTestBackend({
    migrations: 'product',
    settings: {
      functions: {
        invite: (request, fetch) =>
          handleInviteRequest(request, {
            projectUrl: backend.url,
            publicKey: backend.publishableKey,
            secretKey: backend.secretKey,
            fetch: async (call) => (await respondFirst?.(call)) ?? fetch(call),
          }),
      },
      ...(smtpUrl ? { smtpUrl } : {}),
      auth: {
        rateLimitFactor: 0,
        onMailGivenUp: (mail) => noteBounce(mail, backend.database),
      },
    },
  })
  const owner = new pg.Client({ connectionString: backend.superuserUrl })
  await owner.connect()
  await owner.query(OPEN_TO_EVERYBODY)
  const aClient = (key: string) =>
    createClient(backend.url, key, {
      auth: { persistSession: false, autoRefreshToken: false },
      realtime: { transport: WebSocket as never },
    })
  const service = aClient(backend.secretKey)

  /** The first is the team's admin. */
  async function aMember() {
    const email = `${randomUUID()}@example.com`
    const made = await service.auth.admin.createUser({
      email,
      password: PASSWORD,
      email_confirm: true,
    })
    if (made.error) throw made.error
    const client = aClient(backend.publishableKey)
    const { data, error } = await client.auth.signInWithPassword({ email, password: PASSWORD })
    if (error) throw error
    return { id: made.data.user.id, email, client, token: data.session.access_token }
  }

  async function invite(
    token: string | null,
    people: unknown,
    {
      address = `${backend.url}/functions/v1/invite`,
      locale = 'en',
      ...options
    }: { address?: string; locale?: string; respondFirst?: RespondFirst } = {},
  ): Promise<InviteResponse> {
    respondFirst = options.respondFirst
    const response = await fetch(address, {
      method: 'POST',
      headers: {
        apikey: backend.publishableKey,
        'content-type': 'application/json',
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({ people, redirect_to: `${backend.url}/create-account`, locale }),
    })
    return { status: response.status, ...((await response.json()) as object) }
  }

  /** Opens a mailed link: where it leads, and a client with the session that it gives. */
  async function openLink(link: string) {
    const response = await fetch(link, { redirect: 'manual' })
    const target = new URL(response.headers.get('location') ?? '')
    const given = new URLSearchParams(target.hash.slice(1))
    const client = aClient(backend.publishableKey)
    const { error } = await client.auth.setSession({
      access_token: given.get('access_token') ?? '',
      refresh_token: given.get('refresh_token') ?? '',
    })
    if (error) throw error
    return { target, client }
  }

  return {
    backend,
    aMember,
    invite,
    openLink,
    aClient: () => aClient(backend.publishableKey),
    mailTo: (email: string) => backend.mail.messages().find((mail) => mail.to === email),
    sql: async (text: string, values: unknown[] = []) =>
      (await owner.query(text, values)).rows as Record<string, unknown>[],
    async close() {
      await owner.end()
      await backend.close()
    },
  }
}
