// Verifies AWS Signature Version 4. Written independently of our signer, from Amazon's specification only.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

export type SignedRequest = {
  method: string
  /** Path and query as sent. */
  url: string
  headers: Record<string, string | string[] | undefined>
  body: Uint8Array
}

export type AwsKey = { accessKeyId: string; secretAccessKey: string; region: string }

const MAX_SKEW_MS = 15 * 60_000
const FORM =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/

/** The S3 error code of a request with an invalid signature; undefined if it is valid. */
export function signatureFault(request: SignedRequest, key: AwsKey, now = Date.now()) {
  const header = (name: string) => String(request.headers[name] ?? '')
  const [, id, day, region, signedNames = '', signature = ''] =
    FORM.exec(header('authorization')) ?? []
  if (!id) return 'AuthorizationHeaderMalformed'
  if (id !== key.accessKeyId) return 'InvalidAccessKeyId'
  const time = header('x-amz-date')
  const sentAt = Date.parse(
    time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'),
  )
  if (!(Math.abs(now - sentAt) <= MAX_SKEW_MS)) return 'RequestTimeTooSkewed'
  if (region !== key.region || !time.startsWith(`${day}T`)) return 'AuthorizationHeaderMalformed'

  const signed = signedNames.split(';')
  const mustBeSigned = Object.keys(request.headers).filter((name) => name.startsWith('x-amz-'))
  if (!['host', ...mustBeSigned].every((name) => signed.includes(name))) return 'AccessDenied'
  const payload = header('x-amz-content-sha256')
  if (payload !== 'UNSIGNED-PAYLOAD' && payload !== sha256(request.body))
    return 'XAmzContentSHA256Mismatch'

  const canonical = [
    request.method,
    canonicalPath(request.url),
    canonicalQuery(request.url),
    ...signed.map((name) => `${name}:${header(name).trim().replace(/ +/g, ' ')}`),
    '',
    signedNames,
    payload,
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')
  const signingKey = [day ?? '', key.region, 's3', 'aws4_request'].reduce<string | Buffer>(
    (secret, part) => createHmac('sha256', secret).update(part).digest(),
    `AWS4${key.secretAccessKey}`,
  )
  const expected = createHmac('sha256', signingKey).update(text).digest()
  return timingSafeEqual(expected, Buffer.from(signature, 'hex'))
    ? undefined
    : 'SignatureDoesNotMatch'
}

function canonicalPath(url: string): string {
  const path = url.split('?')[0] ?? '/'
  return path
    .split('/')
    .map((part) => encode(decodeURIComponent(part)))
    .join('/')
}

function canonicalQuery(url: string): string {
  const query = new URLSearchParams(url.split('?')[1] ?? '')
  return [...query]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&')
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

function sha256(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
