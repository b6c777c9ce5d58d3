import { networkInterfaces } from 'node:os'

const EVERY_NETWORK = ['0.0.0.0', '::']

/** Where other devices on the network, such as a phone, reach a server that listens on `host`. */
export function networkAddresses(
  host: string,
  port: number,
  interfaces: ReturnType<typeof networkInterfaces> = networkInterfaces(),
): string[] {
  return Object.values(interfaces)
    .flatMap((each) => each ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4')
    .map(({ address }) => address)
    .filter((address) => EVERY_NETWORK.includes(host) || address === host)
    .map((address) => `http://${address}:${port}`)
}
