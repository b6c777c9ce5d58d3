// The client address of a request, for limits and logs; the same for HTTP and WebSocket upgrades. X-Forwarded-For is
// read from the end, only as far as trusted proxies wrote it: the client can forge everything before that.
import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import type { Logger } from 'pino'

/** The number of proxies in front, or their addresses and networks: `10.0.0.1`, `10.0.0.0/8`, `loopback`. */
export type TrustedProxies = number | readonly string[]
export type ClientAddress = (request: Pick<IncomingMessage, 'headers' | 'socket'>) => string

const LOOPBACK = ['127.0.0.0/8', '::1/128']

/** @throws if `trusted` contains something that is neither an address nor a network */
export function createClientAddress(trusted: TrustedProxies, log: Logger): ClientAddress {
  const isTrusted = trustOf(trusted)
  const trustsNone = typeof trusted === 'number' ? trusted === 0 : trusted.length === 0
  let hasWarned = false

  function warnOnce() {
    if (hasWarned) return
    hasWarned = true
    log.warn(
      'X-Forwarded-For is ignored: behind a reverse proxy, set TRUST_PROXY, or all clients share one limit',
    )
  }

  return ({ headers, socket }) => {
    const header = headers['x-forwarded-for']
    let address = normalize(socket.remoteAddress ?? '')
    if (header === undefined) return address
    if (trustsNone) {
      warnOnce()
      return address
    }
    const forwarded = String(header).split(',').reverse()
    for (const [hop, each] of forwarded.entries()) {
      if (!isTrusted(address, hop)) break
      const next = normalize(each)
      if (!isIP(next)) break
      address = next
    }
    return address
  }
}

/** Whether a connection from this address is a trusted proxy's. */
export function createProxyCheck(trusted: TrustedProxies): (address: string) => boolean {
  const isTrusted = trustOf(trusted)
  return (address) => isTrusted(normalize(address), 0)
}

function trustOf(trusted: TrustedProxies) {
  return typeof trusted === 'number' ? byHops(trusted) : byNetwork(trusted)
}

function byHops(count: number) {
  return (_address: string, hop: number) => hop < count
}

function byNetwork(networks: readonly string[]) {
  const list = new BlockList()
  for (const network of networks.flatMap((each) => (each === 'loopback' ? LOOPBACK : [each]))) {
    const parsed = parseNetwork(network)
    if (!parsed) throw new Error(`not an address or network: ${network}`)
    list.addSubnet(parsed.address, parsed.prefix, parsed.family)
  }
  return (address: string) => {
    const version = isIP(address)
    return version !== 0 && list.check(address, version === 4 ? 'ipv4' : 'ipv6')
  }
}

type Network = { address: string; prefix: number; family: 'ipv4' | 'ipv6' }

/** `10.0.0.1`, `10.0.0.0/8`, `::1`, `fd00::/8`; null for anything else. */
export function parseNetwork(text: string): Network | null {
  const [address = '', length, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return null
  const longest = version === 4 ? 32 : 128
  const prefix = length === undefined ? longest : /^\d+$/.test(length) ? Number(length) : -1
  if (prefix < 0 || prefix > longest) return null
  return { address, prefix, family: version === 4 ? 'ipv4' : 'ipv6' }
}

/** Strips what some proxies add: brackets, a port, the IPv6-mapped form of an IPv4 address. */
function normalize(text: string): string {
  const address = text
    .trim()
    .replace(/^\[(.*)\](:\d+)?$/, '$1')
    .replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1')
  return /^::ffff:(\d+(?:\.\d+){3})$/i.exec(address)?.[1] ?? address
}

/** The group an address is limited by: its /64 for IPv6, because a customer gets a whole one. */
export function addressGroup(clientAddress: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(clientAddress)?.[1]
  if (mapped) return mapped
  if (!clientAddress.includes(':')) return clientAddress
  const [head = '', tail] = clientAddress.toLowerCase().split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length)
  const groups = [...before, ...Array.from({ length: zeros }, () => '0'), ...after]
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}

/** The network that usually has one owner: an IPv4 /24 or IPv6 /48, for an address or what `addressGroup` made of it. */
export function networkOf(group: string): string {
  if (group.includes(':')) return `${group.split(':').slice(0, 3).join(':')}::/48`
  return group.replace(/\.\d+$/, '.0/24')
}
