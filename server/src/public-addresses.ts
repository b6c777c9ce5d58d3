import { BlockList, isIPv4, isIPv6 } from 'node:net'

/** IPv4 networks that are no part of the public internet (IANA special-purpose registry), multicast included. */
const NOT_PUBLIC_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
]
/** All of public IPv6, and the parts of it that wrap IPv4 addresses or are set aside. */
const PUBLIC_V6 = ['2000::/3']
const NOT_PUBLIC_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const notPublicV4 = listOf(NOT_PUBLIC_V4, 'ipv4')
const publicV6 = listOf(PUBLIC_V6, 'ipv6')
const notPublicV6 = listOf(NOT_PUBLIC_V6, 'ipv6')

/** Whether an address is one of the public internet, not of this machine, its network or a cloud's metadata service. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !notPublicV4.check(address, 'ipv4')
  return isIPv6(address) && publicV6.check(address, 'ipv6') && !notPublicV6.check(address, 'ipv6')
}

function listOf(networks: string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    list.addSubnet(address, Number(bits), family)
  }
  return list
}
