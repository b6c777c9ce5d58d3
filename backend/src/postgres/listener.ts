// One connection that hears what transactions announce with `notify`. It reconnects for ever and tells its hearers
// when it does, because whatever was announced in between is lost to them.
import pg from 'pg'

const RECONNECT_MS = 500

type Hearer = { onNotify(payload: string): void; onReconnect?(): void }

export type Listener = {
  /** Hears `channel` from the moment the promise resolves. Returns a function that stops it. */
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
  const hearers = new Map<string, Set<Hearer>>()
  let connecting: Promise<pg.Client> | null = null
  let closed = false
  let retry: NodeJS.Timeout | undefined

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: url, application_name: 'listener' })
    client.on('error', onError)
    client.on('end', () => {
      connecting = null
      if (!closed) retry = setTimeout(reconnect, RECONNECT_MS)
    })
    client.on('notification', ({ channel, payload }) => {
      for (const hearer of hearers.get(channel) ?? []) hearer.onNotify(payload ?? '')
    })
    await client.connect()
    for (const channel of hearers.keys())
      await client.query(`listen ${client.escapeIdentifier(channel)}`)
    return client
  }

  function reconnect() {
    connecting = connect()
    connecting.then(
      () => {
        for (const set of hearers.values()) for (const hearer of set) hearer.onReconnect?.()
      },
      (error: unknown) => {
        onError(error)
        connecting = null
        if (!closed) retry = setTimeout(reconnect, RECONNECT_MS)
      },
    )
  }

  return {
    async listen(channel, onNotify, onReconnect) {
      const hearer: Hearer = { onNotify, onReconnect }
      const known = hearers.get(channel)
      if (known) known.add(hearer)
      else hearers.set(channel, new Set([hearer]))
      connecting ??= connect()
      const client = await connecting
      if (!known) await client.query(`listen ${client.escapeIdentifier(channel)}`)
      return () => {
        hearers.get(channel)?.delete(hearer)
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
