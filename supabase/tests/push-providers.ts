// Fake push providers on loopback that validate requests as strictly as the real ones and respond as a test tells them to.
import { createPublicKey, generateKeyPairSync, verify, type KeyObject } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createHttp2Server, createSecureServer } from 'node:http2'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { decryptPush, makeBrowserKeys, type BrowserKeys } from './push-browser.ts'

export type ProviderResponse = {
  status: number
  body?: string
  headers?: Record<string, string>
  /** Delay before the response. */
  delayMs?: number
  /** Accepts the notification and drops the connection instead of responding. */
  cutsLine?: boolean
}
export type Received = {
  to: string
  payload: Record<string, unknown>
  headers: Record<string, string>
}

/** Responds with these in order; afterwards always with 200. */
export type Provider = {
  address: string
  received: Received[]
  responses: ProviderResponse[]
  /** Called before responding. */
  onRequest: (() => void) | null
  close(): Promise<void>
}

type Checked = { to: string; payload: unknown; headers: Record<string, string> }

async function serveHttp(
  check: (request: IncomingMessage, body: Buffer) => Checked | ProviderResponse,
  happy: ProviderResponse = { status: 200, body: '{}' },
  port = 0,
): Promise<Provider> {
  const provider = { received: [], responses: [], onRequest: null } as unknown as Provider
  const server: Server = createServer((request, response) => void respond(request, response))
  async function respond(request: IncomingMessage, response: ServerResponse) {
    const body = await buffer(request).catch(() => null)
    // The sender was killed or gave up in the middle of its request.
    if (!body) return
    const checked = check(request, body)
    if ('status' in checked)
      return response.writeHead(checked.status, checked.headers).end(checked.body)
    provider.onRequest?.()
    const next = provider.responses.shift() ?? happy
    if (next.status < 300 || next.cutsLine) provider.received.push(checked as Received)
    if (next.cutsLine) return request.socket.destroy()
    if (next.delayMs) await new Promise((resolve) => setTimeout(resolve, next.delayMs))
    response.writeHead(next.status, next.headers).end(next.body)
  }
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  provider.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  provider.close = () =>
    new Promise((resolve) => {
      server.closeAllConnections()
      server.close(() => resolve())
    })
  return provider
}

export type PushService = Provider & { subscribe(): BrowserKeys & { endpoint: string } }

/** A browser's push service, with browsers that decrypt what they receive. */
export async function startPushService({ port = 0 } = {}): Promise<PushService> {
  const browsers = new Map<string, BrowserKeys>()
  const provider = await serveHttp(
    (request, body) => {
      const keys = browsers.get(request.url ?? '')
      if (!keys) return { status: 410, body: 'expired' }
      const [, token = '', publicKey = ''] =
        /^vapid t=([^,]+), k=(\S+)$/.exec(request.headers.authorization ?? '') ?? []
      const claims = verifyToken(token, vapidKey(publicKey))
      const soon = Date.now() / 1000 + 24 * 60 * 60
      if (!claims || claims.aud !== provider.address || Number(claims.exp) > soon || !claims.sub)
        return { status: 403, body: 'bad vapid token' }
      if (
        request.headers['content-encoding'] !== 'aes128gcm' ||
        !request.headers.ttl ||
        body.length > 4096
      )
        return { status: 400, body: 'bad request' }
      const payload = JSON.parse(decryptPush(body, keys)) as unknown
      return { to: request.url ?? '', payload, headers: request.headers as Record<string, string> }
    },
    { status: 201 },
    port,
  )
  return Object.assign(provider, {
    subscribe() {
      const keys = makeBrowserKeys()
      const path = `/push/${browsers.size + 1}`
      browsers.set(path, keys)
      return { ...keys, endpoint: provider.address + path }
    },
  })
}

export type Fcm = Provider & { serviceAccount: string; tokensIssued: () => number }

/** Google's token endpoint and FCM in one. */
export async function startFcm(): Promise<Fcm> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  let issued = 0
  const provider = await serveHttp((request, body) => {
    if (request.url === '/token') {
      const form = new URLSearchParams(body.toString())
      const claims = verifyToken(form.get('assertion') ?? '', publicKey)
      if (claims?.iss !== 'push@team.test' || claims.aud !== `${provider.address}/token`)
        return { status: 400, body: '{"error":"invalid_grant"}' }
      return {
        status: 200,
        body: JSON.stringify({ access_token: `access-${++issued}`, expires_in: 3599 }),
      }
    }
    if (request.headers.authorization !== `Bearer access-${issued}`)
      return { status: 401, body: '{}' }
    if (request.url !== '/v1/projects/team/messages:send') return { status: 404, body: '{}' }
    const { message } = JSON.parse(body.toString()) as { message: { token: string } }
    return {
      to: message.token,
      payload: message,
      headers: request.headers as Record<string, string>,
    }
  })
  const serviceAccount = JSON.stringify({
    project_id: 'team',
    client_email: 'push@team.test',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    token_uri: `${provider.address}/token`,
  })
  return Object.assign(provider, { serviceAccount, tokensIssued: () => issued })
}

export type Apns = Provider & { privateKey: string }

const tlsFile = (name: string) => fileURLToPath(new URL(`loopback-tls/${name}`, import.meta.url))
/** CA certificate for clients of the fakes that speak TLS. */
export const LOOPBACK_AUTHORITY = tlsFile('authority.pem')

/** APNs: HTTP/2 only, over TLS for clients that need it for HTTP/2. */
export async function startApns({ overTls = false } = {}): Promise<Apns> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const provider = { received: [], responses: [], onRequest: null } as unknown as Apns
  const server = overTls
    ? createSecureServer({
        key: readFileSync(tlsFile('server-key.pem')),
        cert: readFileSync(tlsFile('server.pem')),
      })
    : createHttp2Server()
  const sessions = new Set<{ destroy(): void }>()
  server.on('session', (session) => sessions.add(session))
  server.on('stream', (stream, headers) => {
    const chunks: Buffer[] = []
    stream.on('error', () => undefined)
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('end', () => {
      const say = (status: number, body = '', more: Record<string, string> = {}) => {
        // The sender gave up meanwhile.
        if (stream.destroyed || stream.closed) return
        stream.respond({ ':status': status, ...more })
        stream.end(body)
      }
      const token = /^bearer (\S+)$/.exec(headers.authorization ?? '')?.[1] ?? ''
      const claims = verifyToken(token, publicKey)
      if (claims?.iss !== 'TEAM' || headerOf(token).kid !== 'KEY')
        return say(403, '{"reason":"InvalidProviderToken"}')
      if (headers['apns-topic'] !== 'test.team') return say(400, '{"reason":"BadTopic"}')
      if (String(headers['apns-collapse-id'] ?? '').length > 64)
        return say(400, '{"reason":"BadCollapseId"}')
      provider.onRequest?.()
      const next = provider.responses.shift() ?? { status: 200 }
      if (next.status < 300 || next.cutsLine)
        provider.received.push({
          to: (headers[':path'] ?? '').replace('/3/device/', ''),
          payload: JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>,
          headers: headers as Record<string, string>,
        })
      if (next.cutsLine) return stream.session?.destroy()
      setTimeout(() => say(next.status, next.body, next.headers), next.delayMs ?? 0)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  provider.address = `${overTls ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`
  provider.privateKey = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
  provider.close = () =>
    new Promise((resolve) => {
      for (const session of sessions) session.destroy()
      server.close(() => resolve())
    })
  return provider
}

type Claims = Record<string, unknown>

function verifyToken(token: string, key: KeyObject | null): Claims | null {
  const [head = '', payload = '', signature = ''] = token.split('.')
  if (!key || !signature) return null
  const signed = Buffer.from(`${head}.${payload}`)
  const bytes = Buffer.from(signature, 'base64url')
  const fits = verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, bytes)
  return fits ? (JSON.parse(Buffer.from(payload, 'base64url').toString()) as Claims) : null
}

function headerOf(token: string): Claims {
  return JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as Claims
}

function vapidKey(publicKey: string): KeyObject | null {
  const point = Buffer.from(publicKey, 'base64url')
  if (point.length !== 65) return null
  const x = point.subarray(1, 33).toString('base64url')
  const y = point.subarray(33).toString('base64url')
  return createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
}
