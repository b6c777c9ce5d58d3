import { once } from 'node:events'
import type { Arena } from './chat-types.ts'
import { runBundled } from './run-bundled.ts'

export type OurArena = Extract<Arena, { kind: 'ours' }>

export type SoakServer = {
  arena: OurArena
  /** All stored messages, oldest first, read as a member. */
  stored(): Promise<{ id: string; message: string; sent_at: string }[]>
  kill(): Promise<void>
  stop(): Promise<void>
}

/** Starts the server; with `earlier` on the same port, so that clients reconnect. */
export async function startSoakServer(
  members: number,
  dataDir: string,
  earlier?: OurArena,
): Promise<SoakServer> {
  const port = earlier ? [new URL(earlier.url).port] : []
  const { child, ready: arena } = await runBundled<OurArena>('chat-server.ts', [
    `${members}`,
    dataDir,
    ...port,
  ])
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
  }
  return {
    arena,
    stored: () => readMessages(arena, 0, null),
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  }
}

const PAGE = 1000
const FROM_THE_START = '2000-01-01T00:00:00Z'

/** All messages since a timestamp, page by page. */
export async function readMessages(arena: OurArena, seat: number, since: string | null) {
  const messages: { id: string; message: string; sent_at: string }[] = []
  for (;;) {
    const query = new URLSearchParams({
      select: 'id,message,sent_at',
      chat_id: `eq.${arena.chatId}`,
      sent_at: `gte.${since ?? FROM_THE_START}`,
      order: 'sent_at.asc,id.asc',
      offset: `${messages.length}`,
      limit: `${PAGE}`,
    })
    const response = await fetch(`${arena.url}/rest/v1/chat_messages?${query.toString()}`, {
      headers: { apikey: arena.key, authorization: `Bearer ${arena.seats[seat]?.token}` },
      signal: AbortSignal.timeout(10_000),
    })
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
    const page = (await response.json()) as typeof messages
    messages.push(...page)
    if (page.length < PAGE) return messages
  }
}
