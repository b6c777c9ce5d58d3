import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

type Call = {
  callbackId: string
  pluginId: string
  methodName: string
  options: { eventName?: string }
}
type Bridge = { fromNative(result: Record<string, unknown>): void }

const METHODS = {
  Badge: ['set', 'clear'],
  App: ['minimizeApp'],
  Haptics: ['impact'],
  Filesystem: ['writeFile'],
  Keyboard: [],
  PushNotifications: [
    'checkPermissions',
    'requestPermissions',
    'register',
    'unregister',
    'createChannel',
    'getDeliveredNotifications',
    'removeDeliveredNotifications',
  ],
  Share: ['share'],
  SplashScreen: ['hide'],
  StatusBar: ['setStyle', 'setBackgroundColor'],
}

let phone: Phone | undefined

type Phone = {
  results: Record<string, unknown>
  calls: { name: string; options: unknown }[]
  /** Listeners by event. */
  listening: Map<string, string[]>
  /** Events from before anyone listened. */
  kept: Map<string, unknown>
}

/**
 * Capacitor's own page-side bridge, as an Android shell injects it, with a fake phone that returns `results` and raises
 * events. Start it before importing the first plugin. A second phone replaces the first, because a page has one bridge.
 */
export function startNativePhone(results: Record<string, unknown> = {}) {
  const isFirst = !phone
  const current: Phone = { results, calls: [], listening: new Map(), kept: new Map() }
  phone = current
  if (isFirst) installBridge()
  return {
    calledWith: (name: string) =>
      current.calls.filter((call) => call.name === name).map(({ options }) => options),
    raise,
  }
}

function installBridge() {
  Object.assign(window, {
    androidBridge: { postMessage: receive },
    Capacitor: { PluginHeaders: headers() },
  })
  const android = createRequire(import.meta.url).resolve('@capacitor/android/package.json')
  const script = join(dirname(android), 'capacitor/src/main/assets/native-bridge.js')
  // The shell's own script, unmodified; a page runs it as a script of its own.
  window.eval(readFileSync(script, 'utf8'))
}

function receive(text: string) {
  const { callbackId, pluginId, methodName, options } = JSON.parse(text) as Call
  if (!phone || pluginId === 'Console') return
  const name = `${pluginId}.${methodName}`
  if (methodName === 'addListener') return listen(`${pluginId}.${options.eventName}`, callbackId)
  if (methodName === 'removeListener') return
  phone.calls.push({ name, options })
  const given = phone.results[name] ?? {}
  const data: unknown = typeof given === 'function' ? ((given as () => unknown)() ?? {}) : given
  const result =
    data instanceof Error
      ? { success: false, error: { message: data.message } }
      : { success: true, data }
  setTimeout(() =>
    bridge().fromNative({ callbackId, pluginId, methodName, save: false, ...result }),
  )
}

function listen(name: string, callbackId: string) {
  if (!phone) return
  phone.listening.set(name, [...(phone.listening.get(name) ?? []), callbackId])
  const kept = phone.kept.get(name)
  phone.kept.delete(name)
  if (kept !== undefined) setTimeout(() => raise(name, kept))
}

/** Like a phone: events from before the app listens are kept for the first listener. */
function raise(name: string, data: unknown) {
  const callbacks = phone?.listening.get(name)
  if (!callbacks) return void phone?.kept.set(name, data)
  const [pluginId] = name.split('.')
  for (const callbackId of callbacks) {
    const copy = structuredClone(data)
    bridge().fromNative({ callbackId, pluginId, save: true, success: true, data: copy })
  }
}

function bridge() {
  return (window as unknown as { Capacitor: Bridge }).Capacitor
}

function headers() {
  return Object.entries(METHODS).map(([name, methods]) => ({
    name,
    methods: [
      { name: 'addListener' },
      { name: 'removeListener' },
      ...methods.map((method) => ({ name: method, rtype: 'promise' })),
    ],
  }))
}
