import { toBase64Url, utf8 } from './encoding.ts'

type Algorithm = 'ES256' | 'RS256'

const PARAMETERS = {
  ES256: { name: 'ECDSA', hash: 'SHA-256' },
  RS256: { name: 'RSASSA-PKCS1-v1_5' },
} as const

/** A signed JWT, as FCM, APNs and web push services ask for to know the sender. */
export async function signToken(
  algorithm: Algorithm,
  // The type's own name is not known to every runtime's types.
  key: Parameters<typeof crypto.subtle.sign>[1],
  claims: Record<string, unknown>,
  header: Record<string, string> = {},
): Promise<string> {
  const head = toBase64Url(utf8(JSON.stringify({ alg: algorithm, typ: 'JWT', ...header })))
  const signed = `${head}.${toBase64Url(utf8(JSON.stringify(claims)))}`
  // WebCrypto's ECDSA signature is the two numbers side by side, which is what JWTs want.
  const signature = await crypto.subtle.sign(PARAMETERS[algorithm], key, utf8(signed))
  return `${signed}.${toBase64Url(new Uint8Array(signature))}`
}

/**
 * Keeps a token and makes a new one when it is older than `lifeSeconds`: APNs refuses senders that sign too often, and
 * Google's tokens cost a request.
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
