import { toBase64Url, utf8 } from './encoding.ts'

type Algorithm = 'ES256' | 'RS256'

const PARAMETERS = {
  ES256: { name: 'ECDSA', hash: 'SHA-256' },
  RS256: { name: 'RSASSA-PKCS1-v1_5' },
} as const

/** A signed JWT that identifies the sender to FCM, APNs and web push services. */
export async function signToken(
  algorithm: Algorithm,
  // Not every runtime's types export the type by name.
  key: Parameters<typeof crypto.subtle.sign>[1],
  claims: Record<string, unknown>,
  header: Record<string, string> = {},
): Promise<string> {
  const head = toBase64Url(utf8(JSON.stringify({ alg: algorithm, typ: 'JWT', ...header })))
  const signed = `${head}.${toBase64Url(utf8(JSON.stringify(claims)))}`
  // WebCrypto returns ECDSA signatures as r and s concatenated, the format JWTs use.
  const signature = await crypto.subtle.sign(PARAMETERS[algorithm], key, utf8(signed))
  return `${signed}.${toBase64Url(new Uint8Array(signature))}`
}

/**
 * Caches a token and renews it when older than `lifeSeconds`: APNs rejects senders that renew too often, and each of
 * Google's tokens costs a request.
 */
export function keepToken<T>(
  lifeSeconds: number,
  now: () => number,
  make: () => Promise<T>,
): { get(): Promise<T>; drop(): void } {
  let kept: { token: Promise<T>; until: number } | null = null
  return {
    get() {
      if (!kept || now() >= kept.until) {
        const token = make()
        const mine = (kept = { token, until: now() + lifeSeconds * 1000 })
        token.catch(() => {
          if (kept === mine) kept = null
        })
      }
      return kept.token
    },
    drop() {
      kept = null
    },
  }
}
