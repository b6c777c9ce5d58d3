// RFC 8291 with the content coding of RFC 8188: only the browser that subscribed can read what a push service carries.
import { concat, fromBase64Url, utf8, type Bytes } from './encoding.ts'

const P256 = { name: 'ECDH', namedCurve: 'P-256' } as const
/** A single record; push services accept at most 4,096 bytes. */
const RECORD_BYTES = 4096
export const MAX_PLAIN_BYTES = RECORD_BYTES - 86 - 16 - 1

/** @throws when the subscription's keys are invalid, or the text is too long for one record */
export async function encryptForBrowser(
  text: string,
  subscription: { p256dh: string; auth: string },
): Promise<Bytes> {
  const plain = utf8(text)
  if (plain.length > MAX_PLAIN_BYTES) throw new Error('too long for a web push')
  const receiver = fromBase64Url(subscription.p256dh)
  const own = await crypto.subtle.generateKey(P256, true, ['deriveBits'])
  const ownPublic = new Uint8Array(await crypto.subtle.exportKey('raw', own.publicKey))
  const receiverKey = await crypto.subtle.importKey('raw', receiver, P256, false, [])
  const shared = await crypto.subtle.deriveBits(
    { name: 'ECDH', public: receiverKey },
    own.privateKey,
    256,
  )

  const info = concat(utf8('WebPush: info\0'), receiver, ownPublic)
  const secret = await hkdf(new Uint8Array(shared), fromBase64Url(subscription.auth), info, 32)
  const salt = crypto.getRandomValues(new Uint8Array(16))
  const keyBytes = await hkdf(secret, salt, utf8('Content-Encoding: aes128gcm\0'), 16)
  const nonce = await hkdf(secret, salt, utf8('Content-Encoding: nonce\0'), 12)

  const key = await crypto.subtle.importKey('raw', keyBytes, 'AES-GCM', false, ['encrypt'])
  // 2 is the delimiter of the last record, and there is only one.
  const record = concat(plain, Uint8Array.of(2))
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv: nonce }, key, record)
  const recordSize = new Uint8Array(4)
  new DataView(recordSize.buffer).setUint32(0, RECORD_BYTES)
  return concat(
    salt,
    recordSize,
    Uint8Array.of(ownPublic.length),
    ownPublic,
    new Uint8Array(sealed),
  )
}

async function hkdf(input: Bytes, salt: Bytes, info: Bytes, length: number): Promise<Bytes> {
  const key = await crypto.subtle.importKey('raw', input, 'HKDF', false, ['deriveBits'])
  const parameters = { name: 'HKDF', hash: 'SHA-256', salt, info }
  return new Uint8Array(await crypto.subtle.deriveBits(parameters, key, length * 8))
}
