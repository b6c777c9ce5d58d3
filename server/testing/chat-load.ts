// Members who keep writing, and one who reads as the app does: live, and by fetching what came meanwhile after each connection.
import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { REALTIME_SUBSCRIBE_STATES, RealtimeClient } from '@supabase/supabase-js'
import { WebSocket } from 'ws'
import type { Processes } from './server-processes.ts'

export type ChatLoad = Awaited<ReturnType<typeof startChatLoad>>

const READ_LIMIT = 1000
const TRY_AGAIN_MS = 100
/** Of one writer, between messages: 3,000 in a minute, within what a member may write (`rest.writtenBytesPerMinute`). */
const PACE_MS = 20

/** Through `url`; `writers` send one message after another until stopped, and one that failed again, as the app does. */
export async function startChatLoad(team: Processes, url: string, writers = 4) {
  const [mandatory] = await team.sql<{ id: string }>(
    "select id from public.chats where type = 'mandatory'",
  )
  const chat = mandatory!.id
  const headers = (token: string) => ({
    apikey: team.publishableKey,
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
  })
  const stored: string[] = []
  const failures: string[] = []
  const live: string[] = []
  const seen = new Set<string>()
  let connections = 0
  let isDone = false
  let isClosed = false

  async function write() {
    const { id: sender_id, token } = await team.aMember()
    let id = randomUUID()
    while (!isDone) {
      const body = JSON.stringify({ id, chat_id: chat, sender_id, message: 'Hello' })
      try {
        const init = { method: 'POST', headers: headers(token), body }
        const response = await fetch(`${url}/rest/v1/chat_messages`, init)
        // Sent again after a response that was lost, it is there already.
        if (response.status === 201 || response.status === 409) {
          stored.push(id)
          id = randomUUID()
        } else failures.push(`${response.status} ${await response.text()}`)
      } catch (error) {
        failures.push(String(error))
      }
      await setTimeout(PACE_MS)
    }
  }

  const reader = await team.aMember()
  const began = new Date().toISOString()
  async function catchUp() {
    for (;;) {
      try {
        return await readAll()
      } catch {
        // The connection ended with the process that held it. The app tries again, too.
        if (isClosed) return
        await setTimeout(TRY_AGAIN_MS)
      }
    }
  }
  async function readAll() {
    for (let offset = 0; ; offset += READ_LIMIT) {
      const query = `select=id&chat_id=eq.${chat}&sent_at=gte.${began}&order=sent_at,id&offset=${offset}`
      const path = `${url}/rest/v1/chat_messages?${query}&limit=${READ_LIMIT}`
      const response = await fetch(path, { headers: headers(reader.token) })
      if (!response.ok) return void failures.push(`reading: ${response.status}`)
      const rows = (await response.json()) as { id: string }[]
      rows.forEach(({ id }) => seen.add(id))
      if (rows.length < READ_LIMIT) return
    }
  }
  const client = new RealtimeClient(`${url.replace('http', 'ws')}/realtime/v1`, {
    params: { apikey: team.publishableKey },
    transport: WebSocket as never,
    accessToken: () => Promise.resolve(reader.token),
  })
  await client.setAuth()
  let catchingUp = Promise.resolve()
  await new Promise<void>((resolve) => {
    client
      .channel(`chat:${chat}`, { config: { private: true } })
      .on('broadcast', { event: 'message_inserted' }, ({ payload }) => {
        const { id } = payload as { id: string }
        live.push(id)
        seen.add(id)
      })
      .subscribe((status) => {
        if (status !== REALTIME_SUBSCRIBE_STATES.SUBSCRIBED) return
        connections++
        catchingUp = catchingUp.then(catchUp)
        resolve()
      })
  })
  const writing = Promise.all(Array.from({ length: writers }, write))

  return {
    /** Ids that the server acknowledged. */
    stored,
    failures,
    /** Ids as they arrived live. */
    live,
    /** How often the reader's channel was joined. */
    connections: () => connections,
    /** Acknowledged, but neither live nor read later. */
    missing: () => stored.filter((id) => !seen.has(id)),
    async stop() {
      isDone = true
      await writing
    },
    async close() {
      isDone = isClosed = true
      await writing
      await catchingUp
      await client.disconnect()
    },
  }
}
