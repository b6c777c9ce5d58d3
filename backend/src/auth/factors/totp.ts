// Time-based one-time passwords (RFC 6238) with what every authenticator app supports: SHA-1, 6 digits, 30 seconds.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const STEP_SECONDS = 30
const DIGITS = 6
/** Of the code's step and of the server's clock; one step covers clocks that differ and slow typing. */
const DRIFT_STEPS = [0, -1, 1]
const SECRET_BYTES = 20
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** A new secret in base 32, as authenticator apps take it. */
export function newSecret(): string {
  return [...toBits(randomBytes(SECRET_BYTES)).matchAll(/.{5}/g)]
    .map(([bits]) => BASE32[Number.parseInt(bits, 2)])
    .join('')
}

/** The address that an authenticator app reads from the QR code. */
export function otpAuthUri(secret: string, issuer: string, account: string): string {
  const parameters = { algorithm: 'SHA1', digits: DIGITS, issuer, period: STEP_SECONDS, secret }
  const query = Object.entries(parameters).map(
    ([name, value]) => `${name}=${encodeURIComponent(value)}`,
  )
  return `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(account)}?${query.join('&')}`
}

/** The time step whose code this is, or null. */
export function matchingStep(secret: string, code: string, now: Date): number | null {
  if (!/^\d{6}$/.test(code)) return null
  const current = Math.floor(now.getTime() / 1000 / STEP_SECONDS)
  const matching = DRIFT_STEPS.map((drift) => current + drift).filter((step) =>
    timingSafeEqual(Buffer.from(codeOfStep(secret, step)), Buffer.from(code)),
  )
  return matching[0] ?? null
}

function codeOfStep(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', fromBase32(secret)).update(counter).digest()
  const offset = (digest.at(-1) ?? 0) & 0xf
  const number = digest.readUInt32BE(offset) & 0x7f_ff_ff_ff
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0')
}

function toBits(bytes: Buffer): string {
  return [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
}

function fromBase32(text: string): Buffer {
  const bits = [...text]
    .map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0'))
    .join('')
  return Buffer.from([...bits.matchAll(/.{8}/g)].map(([byte]) => Number.parseInt(byte, 2)))
}
