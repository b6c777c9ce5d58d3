import { createApns, type ApnsSender } from './apns.ts'
import type { Channel, ChannelName, Clock } from './delivery.ts'
import { createFcm, type ServiceAccount } from './fcm.ts'
import { createWebPush, isKnownService } from './web-push.ts'

/** Credentials from the settings; a channel without them is off. */
export type PushSettings = {
  /** Google's service-account file, as text. */
  PUSH_FCM_SERVICE_ACCOUNT?: string
  /** Apple's `.p8` file, as text. */
  PUSH_APNS_KEY?: string
  PUSH_APNS_KEY_ID?: string
  PUSH_APNS_TEAM_ID?: string
  /** The app's bundle id. */
  PUSH_APNS_TOPIC?: string
  PUSH_VAPID_PUBLIC_KEY?: string
  PUSH_VAPID_PRIVATE_KEY?: string
  /** `mailto:` or `https:`: contact for push services. */
  PUSH_VAPID_SUBJECT?: string
  /** Origins of additional push services, such as a self-hosted one, separated by spaces. */
  PUSH_WEB_SERVICES?: string
}

/** What the admin page shows about a channel. Never a secret. */
export type ChannelReport = {
  channel: ChannelName
  is_on: boolean
  detail: string
  public_key?: string
}

export type OpenedChannels = { channels: Channel[]; reports: ChannelReport[] }

type Dependencies = {
  clock: Clock
  apnsSender: ApnsSender
  /** Base URLs, overridden in tests. */
  fcmAddress?: string
  isPushService?(endpoint: URL): boolean
}

/** Opens the channels that have credentials, and reports why the others are off. */
export function openChannels(settings: PushSettings, dependencies: Dependencies): OpenedChannels {
  const opened = [
    openFcm(settings, dependencies),
    openApns(settings, dependencies),
    openWeb(settings, dependencies),
  ]
  return {
    channels: opened.flatMap(({ channel }) => (channel ? [channel] : [])),
    reports: opened.map(({ report }) => report),
  }
}

type Opened = { channel: Channel | null; report: ChannelReport }

function openFcm(settings: PushSettings, { clock, fcmAddress }: Dependencies): Opened {
  const text = settings.PUSH_FCM_SERVICE_ACCOUNT
  if (!text) return off('fcm', 'PUSH_FCM_SERVICE_ACCOUNT is not set')
  let account: Partial<ServiceAccount>
  try {
    account = JSON.parse(text) as Partial<ServiceAccount>
  } catch {
    return off('fcm', 'PUSH_FCM_SERVICE_ACCOUNT is not JSON')
  }
  const { project_id, client_email, private_key, token_uri } = account
  if (!project_id || !client_email || !private_key)
    return off('fcm', 'PUSH_FCM_SERVICE_ACCOUNT lacks project_id, client_email or private_key')
  const known = { project_id, client_email, private_key, ...(token_uri ? { token_uri } : {}) }
  const address = fcmAddress ? { address: fcmAddress } : {}
  return on(createFcm({ account: known, clock, ...address }), `project ${project_id}`)
}

function openApns(settings: PushSettings, { clock, apnsSender: sender }: Dependencies): Opened {
  const { PUSH_APNS_KEY, PUSH_APNS_KEY_ID, PUSH_APNS_TEAM_ID, PUSH_APNS_TOPIC } = settings
  const wanted = { PUSH_APNS_KEY, PUSH_APNS_KEY_ID, PUSH_APNS_TEAM_ID, PUSH_APNS_TOPIC }
  const missing = Object.entries(wanted).flatMap(([name, value]) => (value ? [] : [name]))
  if (!PUSH_APNS_KEY || !PUSH_APNS_KEY_ID || !PUSH_APNS_TEAM_ID || !PUSH_APNS_TOPIC)
    return off('apns', `not set: ${missing.join(', ')}`)
  const channel = createApns({
    privateKey: PUSH_APNS_KEY,
    keyId: PUSH_APNS_KEY_ID,
    teamId: PUSH_APNS_TEAM_ID,
    topic: PUSH_APNS_TOPIC,
    clock,
    sender,
  })
  return on(channel, `app ${PUSH_APNS_TOPIC}`)
}

function openWeb(settings: PushSettings, { clock, isPushService }: Dependencies): Opened {
  const publicKey = settings.PUSH_VAPID_PUBLIC_KEY
  const privateKey = settings.PUSH_VAPID_PRIVATE_KEY
  const subject = settings.PUSH_VAPID_SUBJECT
  if (!publicKey || !privateKey)
    return off('web', 'PUSH_VAPID_PUBLIC_KEY or PUSH_VAPID_PRIVATE_KEY is not set')
  if (!subject || !/^(mailto:|https:)/.test(subject))
    return off('web', 'PUSH_VAPID_SUBJECT must be a mailto: or https: address')
  const further = (settings.PUSH_WEB_SERVICES ?? '').split(/\s+/).filter(Boolean)
  const isAllowed = (endpoint: URL) => isKnownService(endpoint) || further.includes(endpoint.origin)
  const channel = createWebPush({
    publicKey,
    privateKey,
    subject,
    clock,
    isPushService: isPushService ?? isAllowed,
  })
  const { report } = on(channel, subject)
  return { channel, report: { ...report, public_key: publicKey } }
}

function on(channel: Channel, detail: string): Opened {
  return { channel, report: { channel: channel.name, is_on: true, detail } }
}

function off(name: ChannelName, detail: string): Opened {
  return { channel: null, report: { channel: name, is_on: false, detail } }
}
