// The official client inside Chromium, driven from Node: each page has a `kit` that the tests' functions call.
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { RealtimeChannel, RealtimeChannelOptions, RealtimeClient } from '@supabase/supabase-js'
import { chromium, type Browser, type Page } from 'playwright-core'
import type { TestBackend } from '../testing/start-test-backend.ts'
import type { Received } from './realtime-clients.ts'

type Serializer = '1.0.0' | '2.0.0'

/** What a function run in the page can use; defined by KIT below. */
export type Joined = {
  channel: RealtimeChannel
  received: Received[]
  system: { message: string }[]
}

export type Kit = {
  client(token: string | null, vsn?: Serializer): RealtimeClient & { token: string | null }
  /** Joins a channel; `received` collects what it receives. Rejects with the server's error. */
  join(
    client: RealtimeClient,
    topic: string,
    config?: RealtimeChannelOptions['config'],
  ): Promise<Joined>
  /** The channel last joined on this topic, for a later function. */
  joined: Record<string, Joined>
  /** Polls until `find` returns a value, and resolves with it. */
  until<Found>(find: () => Found | false | undefined): Promise<Found>
  /** Breaks every connection of the page, as when the network changes. */
  breakConnections(): void
}

const BUNDLE = createRequire(import.meta.url).resolve('@supabase/supabase-js/dist/umd/supabase.js')

/** A string, because it runs in the page. */
const kitOf = ({ url, publishableKey }: TestBackend) => `
  const sockets = new Set()
  const clients = []
  class WatchedSocket extends WebSocket {
    constructor(...args) { super(...args); sockets.add(this) }
  }
  globalThis.kit = {
    client(token, vsn = '2.0.0') {
      const client = new supabase.RealtimeClient(${JSON.stringify(url.replace('http', 'ws'))} + '/realtime/v1', {
        params: { apikey: ${JSON.stringify(publishableKey)} },
        transport: WatchedSocket,
        vsn,
        ...(token ? { accessToken: () => Promise.resolve(client.token) } : {}),
      })
      client.token = token
      clients.push(client)
      return client
    },
    async join(client, topic, config = {}) {
      if (client.token) await client.setAuth()
      const channel = client.channel(topic, { config })
      const [received, system] = [[], []]
      channel.on('broadcast', { event: '*' }, (message) => received.push(message))
      channel.on('presence', { event: 'sync' }, () => {})
      channel.on('system', {}, (message) => system.push(message))
      await new Promise((resolve, reject) => channel.subscribe((status, error) => {
        if (status === 'SUBSCRIBED') resolve()
        else reject(error ?? new Error(status))
      }))
      return (kit.joined[topic] = { channel, received, system })
    },
    joined: {},
    async until(find) {
      for (;;) {
        const found = find()
        if (found) return found
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    },
    breakConnections() {
      for (const socket of sockets) socket.close(4000, 'broken')
      sockets.clear()
    },
    leave: () => Promise.all(clients.splice(0).map((client) => client.disconnect())),
  }
`

export type TestPage = {
  /** Runs a function in the page, with access only to its arguments and `kit`. */
  run<Args, Result>(work: (args: Args) => Promise<Result>, args: Args): Promise<Result>
  /** Closes every connection of the page. */
  leave(): Promise<void>
  close(): Promise<void>
}

export async function aBrowserPage(backend: TestBackend): Promise<TestPage> {
  const executablePath = process.env.CHROMIUM_PATH || systemChromium()
  const browser: Browser = await chromium.launch({
    ...(executablePath && { executablePath }),
    args: ['--no-sandbox'],
  })
  const page: Page = await browser.newPage({ bypassCSP: true })
  await page.goto(`${backend.url}/auth/v1/health`)
  await page.addScriptTag({ path: BUNDLE })
  await page.evaluate(kitOf(backend))
  return {
    run: (work, args) => page.evaluate(work as never, args) as never,
    leave: async () => void (await page.evaluate('kit.leave()')),
    close: () => browser.close(),
  }
}

function systemChromium(): string | undefined {
  const folders = (process.env.PATH ?? '').split(':')
  return ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path))
}
