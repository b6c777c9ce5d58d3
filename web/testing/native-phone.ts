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
  answers: Record<string, unknown>
  calls: { name: string; options: unknown }[]
  /** By event, who listens to it. */
  listening: Map<string, string[]>
  /** What happened before anybody listened. */
  kept: Map<string, unknown>
}

/**
 * The page's own side of Capacitor, run as an Android shell puts it into the page, with a phone on the other end that
 * answers from `answers` and raises events. Start it before the first plugin is imported. A second phone takes the
 * place of the first, as the bridge is there once for a page.
 */
export function startNativePhone(answers: Record<string, unknown> = {}) {
  const isFirst = !phone
  const current: Phone = { answers, calls: [], listening: new Map(), kept: new Map() }
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
  // The shell's own script, as it is; a page runs it as a script of its own.
  window.eval(readFileSync(script, 'utf8'))
}

function receive(text: string) {
  const { callbackId, pluginId, methodName, options } = JSON.parse(text) as Call
  if (!phone || pluginId === 'Console') return
  const name = `${pluginId}.${methodName}`
  if (methodName === 'addListener') return listen(`${pluginId}.${options.eventName}`, callbackId)
  if (methodName === 'removeListener') return
  phone.calls.push({ name, options })
  const given = phone.answers[name] ?? {}
  const answer: unknown = typeof given === 'function' ? ((given as () => unknown)() ?? {}) : given
  const result =
    answer instanceof Error
      ? { success: false, error: { message: answer.message } }
      : { success: true, data: answer }
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

/** As the phone does: what happens before the app listens is kept for the first who does. */
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
