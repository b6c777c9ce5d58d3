// A certificate that signs itself, written by hand: Node can read certificates but make none.
import { generateKeyPairSync, sign } from 'node:crypto'

const SEQUENCE = 0x30
const SET = 0x31
const INTEGER = 0x02
const BITS = 0x03
const OCTETS = 0x04
const OBJECT = 0x06
const UTF8 = 0x0c
const UTC_TIME = 0x17
const VERSION = 0xa0
const EXTENSIONS = 0xa3
const DNS_NAME = 0x82

const ECDSA_WITH_SHA256 = '2a8648ce3d040302'
const COMMON_NAME = '550403'
const ALTERNATIVE_NAMES = '551d11'

/** @returns what a TLS server takes: for `host`, until `validTo` */
export function aCertificate(host: string, validTo: Date): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = node(SEQUENCE, object(ECDSA_WITH_SHA256))
  const name = node(
    SEQUENCE,
    node(SET, node(SEQUENCE, object(COMMON_NAME), node(UTF8, Buffer.from(host)))),
  )
  const names = node(SEQUENCE, node(DNS_NAME, Buffer.from(host)))
  const body = node(
    SEQUENCE,
    node(VERSION, node(INTEGER, Buffer.from([2]))),
    node(INTEGER, Buffer.from([1])),
    algorithm,
    name,
    node(SEQUENCE, utcTime(new Date(validTo.getTime() - 365 * 86_400_000)), utcTime(validTo)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    node(
      EXTENSIONS,
      node(SEQUENCE, node(SEQUENCE, object(ALTERNATIVE_NAMES), node(OCTETS, names))),
    ),
  )
  const signature = sign('sha256', body, privateKey)
  const der = node(SEQUENCE, body, algorithm, node(BITS, Buffer.from([0]), signature))
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
  }
}

function node(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

const object = (hex: string) => node(OBJECT, Buffer.from(hex, 'hex'))
const utcTime = (at: Date) =>
  node(UTC_TIME, Buffer.from(`${at.toISOString().replaceAll(/[-:T]/g, '').slice(2, 14)}Z`))
