// Headers of tus 1.0.0 (https://tus.io/protocols/resumable-upload), with the extensions that hosted Supabase has.
import { ServiceError } from '#http/service-error.ts'
import type { Action } from '../context.ts'
import { storageErrors } from '../errors.ts'
import { LIMITS } from '../limits.ts'

const VERSION = '1.0.0'
const CONTENT_TYPE = 'application/offset+octet-stream'

/** Headers of every response. A browser shows the client only the exposed ones. */
const RESPONSE_HEADERS = {
  'tus-resumable': VERSION,
  'cache-control': 'no-store',
  'access-control-expose-headers':
    'Location, Tus-Complete, Tus-Extension, Tus-Max-Size, Tus-Resumable, Tus-Version, Upload-Expires, Upload-Length, Upload-Metadata, Upload-Offset, Sb-Request-Id',
}

/** What the service can do, as the response to OPTIONS states it. */
const CAPABILITIES = {
  ...RESPONSE_HEADERS,
  'tus-version': VERSION,
  'tus-extension': 'creation,creation-with-upload,termination,expiration',
  'tus-max-size': String(LIMITS.fileBytes),
}

/** Headers for OPTIONS requests. */
export function resumableOptions(path: string): Record<string, string> {
  return /^\/storage\/v1\/upload\/resumable(\/|$)/.test(path) ? CAPABILITIES : {}
}

/** Checks the version that the client speaks, and adds the protocol's headers to every response. */
export function tusAction(action: Action): Action {
  return async (storage, request, context, rest) => {
    try {
      const wanted = request.headers.get('tus-resumable')
      if (wanted !== VERSION) throw storageErrors.unknownTusVersion(VERSION)
      const response = await action(storage, request, context, rest)
      for (const [name, value] of Object.entries(RESPONSE_HEADERS))
        response.headers.set(name, value)
      return response
    } catch (error) {
      if (error instanceof ServiceError) Object.assign(error.headers, RESPONSE_HEADERS)
      throw error
    }
  }
}

/** @throws InvalidRequest unless the header is a whole number */
export function byteCount(request: Request, header: 'upload-length' | 'upload-offset'): number {
  const text = request.headers.get(header) ?? ''
  if (!/^\d{1,15}$/.test(text))
    throw storageErrors.invalidRequest(`${header} must be a number of bytes`)
  return Number(text)
}

/** @throws for a body of another type, or of another size than fits into `room` */
export function assertPartBody({ headers }: Request, room: number): void {
  if (headers.get('content-type') !== CONTENT_TYPE) throw storageErrors.notAPart(CONTENT_TYPE)
  if (Number(headers.get('content-length') ?? 0) > room) throw storageErrors.tooLarge()
}

export function hasBody({ headers }: Request): boolean {
  return headers.has('transfer-encoding') || Number(headers.get('content-length') ?? 0) > 0
}
