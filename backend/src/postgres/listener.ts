// One connection for LISTEN/NOTIFY. It always reconnects, and reports each reconnect because notifications sent in
// between are lost.
import type pg from 'pg'
import { GuardedClient } from './guarded-client.ts'

const RECONNECT_MS = 500

type Subscriber = { onNotify(payload: string): void; onReconnect?(): void }

export type Listener = {
  /** Subscribes to `channel`; active once the promise resolves. Returns a function that unsubscribes. */
  listen(
    channel: string,
    onNotify: (payload: string) => void,
    onReconnect?: () => void,
  ): Promise<() => void>
}

export function createListener(
  url: string,
  onError: (error: unknown) => void,
): Listener & { close(): Promise<void> } {
  const subscribers = new Map<string, Set<Subscriber>>()
  let connecting: Promise<GuardedClient> | null = null
  let closed = false
  let retry: NodeJS.Timeout | undefined

  function dispatch({ channel, payload }: pg.Notification) {
    for (const subscriber of subscribers.get(channel) ?? [])
      attempt(() => subscriber.onNotify(payload ?? ''))
  }

  async function connect(isReconnect = false): Promise<GuardedClient> {
    const client = new GuardedClient({ connectionString: url, application_name: 'listener' })
    client.on('error', onError)
    let early: pg.Notification[] | null = []
    client.on('notification', (notification) =>
      early ? early.push(notification) : dispatch(notification),
    )
    try {
      await client.connect()
      // Listens on all channels in one transaction, and holds notifications back until every subscriber knows of the
      // reconnect: a message must not overtake a change of rights that was published before it.
      const names = [...subscribers.keys()]
      const listens = names.map((name) => `listen ${client.escapeIdentifier(name)}`)
      if (listens.length > 0) await client.query(listens.join('; '))
    } catch (error) {
      connecting = null
      await client.end().catch(onError)
      throw error
    }
    client.on('end', reconnectSoon)
    if (isReconnect)
      for (const set of subscribers.values())
        for (const subscriber of set) attempt(() => subscriber.onReconnect?.())
    const pending = early
    early = null
    pending.forEach(dispatch)
    return client
  }

  // A throwing subscriber must not break the connection for the others.
  function attempt(notify: () => void) {
    try {
      notify()
    } catch (error) {
      onError(error)
    }
  }

  function reconnectSoon() {
    connecting = null
    clearTimeout(retry)
    if (!closed) retry = setTimeout(reconnect, RECONNECT_MS)
  }

  function reconnect() {
    connecting = connect(true)
    connecting.catch((error: unknown) => {
      onError(error)
      reconnectSoon()
    })
  }

  return {
    async listen(channel, onNotify, onReconnect) {
      const subscriber: Subscriber = { onNotify, onReconnect }
      const known = subscribers.get(channel)
      if (known) known.add(subscriber)
      else subscribers.set(channel, new Set([subscriber]))
      connecting ??= connect()
      const client = await connecting
      if (!known) await client.query(`listen ${client.escapeIdentifier(channel)}`)
      return () => {
        subscribers.get(channel)?.delete(subscriber)
      }
    },
    async close() {
      closed = true
      clearTimeout(retry)
      const client = await connecting?.catch(() => null)
      await client?.end()
    },
  }
}
