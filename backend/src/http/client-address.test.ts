import type { IncomingMessage } from 'node:http'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import {
  addressGroup,
  createClientAddress,
  networkOf,
  type TrustedProxies,
} from './client-address.ts'

const silent = pino({ level: 'silent' })

function aRequest(remoteAddress: string, forwarded?: string) {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
  return { headers, socket: { remoteAddress } } as unknown as IncomingMessage
}

test.each<[TrustedProxies, string, string | undefined, string]>([
  // No proxy is trusted.
  [0, '10.0.0.9', '203.0.113.7', '10.0.0.9'],
  [[], '10.0.0.9', '203.0.113.7', '10.0.0.9'],
  // Entries forged by the client come before what the proxy appended.
  [1, '10.0.0.9', '6.6.6.6, 203.0.113.7', '203.0.113.7'],
  [2, '10.0.0.9', '6.6.6.6, 203.0.113.7, 10.0.0.8', '203.0.113.7'],
  [['loopback'], '127.0.0.1', '6.6.6.6, 203.0.113.7', '203.0.113.7'],
  [['loopback'], '::1', '203.0.113.7', '203.0.113.7'],
  [['loopback'], '::ffff:127.0.0.1', '203.0.113.7', '203.0.113.7'],
  [['10.0.0.0/8', 'fd00::/8'], '10.0.0.9', '6.6.6.6, 203.0.113.7, fd00::1', '203.0.113.7'],
  // A peer that is not a trusted proxy is ignored.
  [['loopback'], '10.0.0.9', '203.0.113.7', '10.0.0.9'],
  // Formats that some proxies use.
  [1, '10.0.0.9', '203.0.113.7:4711', '203.0.113.7'],
  [1, '10.0.0.9', '[2001:db8::1]:4711', '2001:db8::1'],
  [1, '10.0.0.9', 'unknown', '10.0.0.9'],
  [1, '10.0.0.9', undefined, '10.0.0.9'],
])(
  'trusting %j, a request from %s forwarded for %s is from %s',
  (trusted, remote, header, address) => {
    expect(createClientAddress(trusted, silent)(aRequest(remote, header))).toBe(address)
  },
)

test('an unconfigured reverse proxy is logged once', () => {
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) })
  const clientAddress = createClientAddress(0, log)
  for (let time = 0; time < 3; time++) clientAddress(aRequest('10.0.0.9', '203.0.113.7'))
  expect(lines).toEqual([expect.stringContaining('TRUST_PROXY')])
})

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:2::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
])('%s is grouped as %s', (address, group) => {
  expect(addressGroup(address)).toBe(group)
})

test.each([
  ['203.0.113.7', '203.0.113.0/24'],
  ['2001:db8:1:2::/64', '2001:db8:1::/48'],
])('%s is part of the network %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})
