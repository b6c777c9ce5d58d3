import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, type Page } from '@playwright/test'

const packages = createRequire(new URL('../../web/package.json', import.meta.url))
/** What the iOS shell injects into its pages before their own code runs. */
const BRIDGE = readFileSync(
  join(
    dirname(packages.resolve('@capacitor/ios/package.json')),
    'Capacitor/Capacitor/assets/native-bridge.js',
  ),
  'utf8',
)

const METHODS = {
  App: ['minimizeApp'],
  Badge: ['set', 'clear'],
  Haptics: ['impact'],
  Keyboard: [],
  PushNotifications: [
    'checkPermissions',
    'requestPermissions',
    'register',
    'unregister',
    'getDeliveredNotifications',
    'removeDeliveredNotifications',
  ],
  SplashScreen: ['hide'],
  StatusBar: ['setStyle'],
}

type Call = {
  callbackId: string
  pluginId: string
  methodName: string
  options: { eventName?: string }
}
type Shell = { calls: string[]; raise(name: string, data: unknown): void }

type Phone = {
  /** The address Apple would give this phone. */
  token: string
  /** Events from before the page loaded, such as the tap that started the app. */
  kept?: Record<string, unknown>
}

/** Makes the page think it runs in the iOS app: the shell's own bridge, with a fake phone behind it. */
export async function insideIosApp(page: Page, phone: Phone): Promise<void> {
  await page.addInitScript(startPhone, { methods: METHODS, kept: {}, ...phone })
  await page.addInitScript(BRIDGE)
}

/** An event from the phone: a tap, a link, a push. */
export async function raise(page: Page, name: string, data: unknown): Promise<void> {
  await page.evaluate(
    ([event, detail]) => (window as unknown as { phone: Shell }).phone.raise(event, detail),
    [name, data] as const,
  )
}

export async function expectCalled(page: Page, name: string): Promise<void> {
  const calls = () => page.evaluate(() => (window as unknown as { phone: Shell }).phone.calls)
  await expect.poll(calls).toContain(name)
}

type Given = Required<Phone> & { methods: Record<string, string[]> }

function startPhone({ methods, token, kept }: Given) {
  const listening = new Map<string, string[]>()
  const waiting = new Map(Object.entries(kept))
  const calls: string[] = []
  const results: Record<string, unknown> = {
    'PushNotifications.checkPermissions': { receive: 'granted' },
    'PushNotifications.requestPermissions': { receive: 'granted' },
    'PushNotifications.getDeliveredNotifications': { notifications: [] },
  }
  const respond = (callbackId: string, pluginId: string, save: boolean, data: unknown) =>
    setTimeout(() => {
      const { Capacitor } = window as unknown as {
        Capacitor: { fromNative(result: object): void }
      }
      Capacitor.fromNative({ callbackId, pluginId, save, success: true, data })
    })
  const raise = (name: string, data: unknown) => {
    const callbacks = listening.get(name)
    if (!callbacks) return void waiting.set(name, data)
    for (const callbackId of callbacks) respond(callbackId, name.split('.')[0] ?? '', true, data)
  }
  const receive = ({ callbackId, pluginId, methodName, options }: Call) => {
    if (methodName === 'addListener') {
      const name = `${pluginId}.${options.eventName}`
      listening.set(name, [...(listening.get(name) ?? []), callbackId])
      if (waiting.has(name)) raise(name, waiting.get(name))
      waiting.delete(name)
      return
    }
    if (methodName === 'removeListener' || pluginId === 'Console') return
    const name = `${pluginId}.${methodName}`
    calls.push(name)
    respond(callbackId, pluginId, false, results[name] ?? {})
    if (methodName === 'register') raise('PushNotifications.registration', { value: token })
  }
  const headers = Object.entries(methods).map(([name, own]) => ({
    name,
    methods: [
      { name: 'addListener' },
      { name: 'removeListener' },
      ...own.map((method) => ({ name: method, rtype: 'promise' })),
    ],
  }))
  Object.assign(window, {
    phone: { calls, raise },
    webkit: { messageHandlers: { bridge: { postMessage: receive } } },
    Capacitor: { PluginHeaders: headers },
  })
}
