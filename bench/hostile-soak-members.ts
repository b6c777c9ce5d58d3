// A member of the demo team with a socket of their own: sends to the team chat, and notes when others' messages arrive.
import { randomUUID } from 'node:crypto'
import { RealtimeClient } from '@supabase/supabase-js'
import { WebSocket } from 'ws'

const PASSWORD = 'rally-demo'
const RETRY_MS = 250
const PAGE = 1000

/** When each message was sent, to measure its arrival. One process, so one clock. */
const sentAt = new Map<string, number>()

export type Member = {
  /** Sends one message and retries until it is stored. */
  send(): Promise<void>
  startPhase(): void
  storedMs(): number[]
  shownMs(): number[]
  /** Refused and retried sends in this phase. */
  refused(): number
  oldestPendingMs(): number
  acknowledged(): string[]
  shownIds(): string[]
  /** All messages of the chat, read page by page. */
  storedIds(): Promise<string[]>
  close(): void
}

/** A signed-in member, with the headers of their requests and the team chat's id. */
export async function signIn(url: string, key: string, email: string) {
  const { access_token: token, user } = (await post(
    `${url}/auth/v1/token?grant_type=password`,
    { apikey: key },
    { email, password: PASSWORD },
  )) as { access_token: string; user: { id: string } }
  const headers = { apikey: key, authorization: `Bearer ${token}` }
  const chats = (await get(`${url}/rest/v1/chats?type=eq.mandatory&select=id`, headers)) as {
    id: string
  }[]
  return { token, userId: user.id, headers, chatId: chats[0]?.id ?? '' }
}

export async function openMember(url: string, key: string, email: string): Promise<Member> {
  const { token, userId, headers, chatId } = await signIn(url, key, email)
  const pending = new Map<string, number>()
  const acknowledged: string[] = []
  const shown = new Map<string, number>()
  let stored: number[] = []
  let arrivals: number[] = []
  let refused = 0

  const client = new RealtimeClient(`${url.replace('http', 'ws')}/realtime/v1`, {
    params: { apikey: key },
    transport: WebSocket as never,
  })
  await client.setAuth(token)
  client
    .channel(`chat:${chatId}`, { config: { private: true } })
    .on('broadcast', { event: 'message_inserted' }, ({ payload }) => {
      const { id } = payload as { id: string }
      const sent = sentAt.get(id)
      if (sent === undefined || shown.has(id)) return
      shown.set(id, performance.now() - sent)
      arrivals.push(performance.now() - sent)
    })
    .subscribe()

  return {
    async send() {
      const id = randomUUID()
      const started = performance.now()
      sentAt.set(id, started)
      pending.set(id, started)
      for (;;) {
        const status = await fetch(`${url}/rest/v1/chat_messages`, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json', prefer: 'return=minimal' },
          body: JSON.stringify({ id, chat_id: chatId, sender_id: userId, message: `soak ${id}` }),
          signal: AbortSignal.timeout(15_000),
        }).then(
          async (response) => {
            await response.text()
            return response.status
          },
          () => 0,
        )
        if (status === 201 || status === 409) break
        refused++
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      }
      pending.delete(id)
      acknowledged.push(id)
      stored.push(performance.now() - started)
    },
    startPhase() {
      stored = []
      arrivals = []
      refused = 0
    },
    storedMs: () => stored,
    shownMs: () => arrivals,
    refused: () => refused,
    oldestPendingMs: () =>
      Math.max(0, ...[...pending.values()].map((since) => performance.now() - since)),
    acknowledged: () => acknowledged,
    shownIds: () => [...shown.keys()],
    async storedIds() {
      const ids: string[] = []
      for (;;) {
        const page = (await get(
          `${url}/rest/v1/chat_messages?chat_id=eq.${chatId}&select=id&order=id&limit=${PAGE}&offset=${ids.length}`,
          headers,
        )) as { id: string }[]
        ids.push(...page.map(({ id }) => id))
        if (page.length < PAGE) return ids
      }
    },
    close: () => void client.disconnect(),
  }
}

/** Throws if refused. */
export async function post(address: string, headers: Record<string, string>, body: unknown) {
  const response = await fetch(address, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  return response.json()
}

async function get(address: string, headers: Record<string, string>) {
  const response = await fetch(address, { headers })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  return response.json()
}
