import { ServiceError } from '#http/service-error.ts'

type Why = { cause?: unknown }

// `error` in the reply is the short word hosted storage has always sent; `code` is the one clients branch on.
function storageError(
  status: number,
  code: string,
  message: string,
  error: string = code,
  { cause }: Why = {},
): ServiceError {
  return new ServiceError({ status, code, message, extra: { code, error }, cause })
}

/** Everything the storage service refuses with. Listed in docs/error-codes.md. */
export const storageErrors = {
  noSuchBucket: (why?: Why) =>
    storageError(404, 'NoSuchBucket', 'Bucket not found', 'Bucket not found', why),
  noSuchKey: (why?: Why) => storageError(404, 'NoSuchKey', 'Object not found', 'not_found', why),
  noSuchRoute: () => storageError(404, 'NotFound', 'Route not found'),
  alreadyExists: (why?: Why) =>
    storageError(409, 'ResourceAlreadyExists', 'The resource already exists', 'Duplicate', why),
  bucketNotEmpty: (why?: Why) =>
    storageError(
      409,
      'ResourceNotEmpty',
      'The bucket you tried to delete is not empty',
      'ResourceNotEmpty',
      why,
    ),
  accessDenied: (why?: Why) =>
    storageError(
      403,
      'AccessDenied',
      'new row violates row-level security policy',
      'Unauthorized',
      why,
    ),
  invalidKey: (key: string) => storageError(400, 'InvalidKey', `Invalid key: ${key}`),
  invalidBucketName: () =>
    storageError(400, 'InvalidBucketName', 'Bucket name invalid', 'Invalid Input'),
  invalidRequest: (message: string, why?: Why) =>
    storageError(400, 'InvalidRequest', message, 'InvalidRequest', why),
  incompleteUpload: (why?: Why) =>
    storageError(400, 'InvalidRequest', 'The upload ended early', 'InvalidRequest', why),
  tooLarge: () =>
    storageError(
      413,
      'EntityTooLarge',
      'The object exceeded the maximum allowed size',
      'Payload too large',
    ),
  invalidMimeType: (mimeType: string) =>
    storageError(
      415,
      'InvalidMimeType',
      `mime type ${mimeType} is not supported`,
      'invalid_mime_type',
    ),
  invalidToken: (why?: Why) =>
    storageError(
      400,
      'InvalidJWT',
      'The signature of this address is not valid',
      'InvalidJWT',
      why,
    ),
  expiredToken: (why?: Why) =>
    storageError(400, 'ExpiredToken', 'The provided token has expired.', 'ExpiredToken', why),
  invalidSignature: () =>
    storageError(400, 'InvalidSignature', 'The token was not made for this object and action'),
  rangeNotSatisfiable: (size: number) =>
    new ServiceError({
      status: 416,
      code: 'InvalidRange',
      message: 'invalid range provided',
      extra: { code: 'InvalidRange', error: 'invalid_range' },
      headers: { 'content-range': `bytes */${size}` },
    }),
  storeUnavailable: (why?: Why) =>
    storageError(
      503,
      'StoreUnavailable',
      'The file store is out of reach. Try again later.',
      'StoreUnavailable',
      why,
    ),
  notSupported: (feature: string) =>
    storageError(501, 'NotSupported', `${feature} is not supported by this storage service`),
}
