import type { NetworkInterfaceInfo } from 'node:os'
import { expect, test } from 'vitest'
import { networkAddresses } from './network-addresses.ts'

const address = (text: string, more: Partial<NetworkInterfaceInfo> = {}) =>
  ({ address: text, family: 'IPv4', internal: false, ...more }) as NetworkInterfaceInfo

const interfaces = {
  lo: [address('127.0.0.1', { internal: true })],
  wifi: [address('192.168.1.20'), address('fe80::1', { family: 'IPv6' } as never)],
}

test('a phone reaches a server that listens on every network at the machine’s own address', () => {
  expect(networkAddresses('0.0.0.0', 8080, interfaces)).toEqual(['http://192.168.1.20:8080'])
})

test('or on that one network, and never a server that listens on this machine alone', () => {
  expect(networkAddresses('192.168.1.20', 80, interfaces)).toEqual(['http://192.168.1.20:80'])
  expect(networkAddresses('127.0.0.1', 8080, interfaces)).toEqual([])
})
