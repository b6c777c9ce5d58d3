// Base64url, the encoding of tokens, keys and push subscriptions.

export type Bytes = Uint8Array<ArrayBuffer>

export function toBase64Url(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

export function fromBase64Url(text: string): Bytes {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, ''))
  return Uint8Array.from(binary, (char) => char.charCodeAt(0))
}

export function utf8(text: string): Bytes {
  return new TextEncoder().encode(text)
}

export function concat(...parts: Uint8Array[]): Bytes {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** Decodes a PEM file, also one whose line breaks became `\n` in a setting. */
export function fromPem(pem: string): Bytes {
  const body = pem.replaceAll('\\n', '\n').replace(/-----[^-]+-----/g, '')
  return fromBase64Url(body.replace(/\s+/g, ''))
}
