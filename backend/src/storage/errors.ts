import { ServiceError } from '#http/service-error.ts'

// `error` is the short text hosted storage has always sent; clients branch on `code`.
function storageError(
  status: number,
  code: string,
  message: string,
  error: string = code,
  { cause }: ErrorOptions = {},
): ServiceError {
  return new ServiceError({ status, code, message, extra: { code, error }, cause })
}

/** All errors of the storage service. Listed in docs/error-codes.md. */
export const storageErrors = {
  noSuchBucket: (options?: ErrorOptions) =>
    storageError(404, 'NoSuchBucket', 'Bucket not found', 'Bucket not found', options),
  noSuchKey: (options?: ErrorOptions) =>
    storageError(404, 'NoSuchKey', 'Object not found', 'not_found', options),
  noSuchRoute: () => storageError(404, 'NotFound', 'Route not found'),
  alreadyExists: (options?: ErrorOptions) =>
    storageError(409, 'ResourceAlreadyExists', 'The resource already exists', 'Duplicate', options),
  bucketNotEmpty: (options?: ErrorOptions) =>
    storageError(
      409,
      'ResourceNotEmpty',
      'The bucket you tried to delete is not empty',
      'ResourceNotEmpty',
      options,
    ),
  accessDenied: (options?: ErrorOptions, message = 'new row violates row-level security policy') =>
    storageError(403, 'AccessDenied', message, 'Unauthorized', options),
  invalidKey: (key: string) => storageError(400, 'InvalidKey', `Invalid key: ${key}`),
  invalidBucketName: () =>
    storageError(400, 'InvalidBucketName', 'Bucket name invalid', 'Invalid Input'),
  invalidRequest: (message: string, options?: ErrorOptions) =>
    storageError(400, 'InvalidRequest', message, 'InvalidRequest', options),
  incompleteUpload: (options?: ErrorOptions) =>
    storageError(400, 'InvalidRequest', 'The upload ended early', 'InvalidRequest', options),
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
  invalidToken: (options?: ErrorOptions) =>
    storageError(
      400,
      'InvalidJWT',
      'The signature of this address is not valid',
      'InvalidJWT',
      options,
    ),
  expiredToken: (options?: ErrorOptions) =>
    storageError(400, 'ExpiredToken', 'The provided token has expired.', 'ExpiredToken', options),
  invalidSignature: () =>
    storageError(400, 'InvalidSignature', 'The token was not made for this object and action'),
  usedSignature: () => storageError(400, 'InvalidSignature', 'This address has already been used'),
  signerGone: () =>
    storageErrors.accessDenied({}, 'The account or session that signed this address has ended'),
  tooManyUploads: () =>
    storageError(
      429,
      'TooManyRequests',
      'Too many uploads at the same time. Try again later.',
      'Too Many Requests',
    ),
  noSuchUpload: () => storageError(404, 'NoSuchUpload', 'Upload not found', 'not_found'),
  uploadExpired: () => storageError(410, 'UploadExpired', 'The upload has expired'),
  uploadFinished: () => storageError(400, 'InvalidRequest', 'The upload is complete'),
  offsetConflict: () =>
    storageError(409, 'OffsetConflict', 'The upload stands at another offset. Ask for it again.'),
  tooManyParts: () =>
    storageErrors.invalidRequest('The upload came in too many parts. Send larger ones.'),
  tooManyOpenUploads: () =>
    storageError(
      429,
      'TooManyRequests',
      'Too many unfinished uploads. Finish or cancel some of them.',
      'Too Many Requests',
    ),
  unknownTusVersion: (version: string) =>
    new ServiceError({
      status: 412,
      code: 'UnknownTusVersion',
      message: `Tus-Resumable must be ${version}`,
      extra: { code: 'UnknownTusVersion', error: 'UnknownTusVersion' },
      headers: { 'tus-version': version },
    }),
  notAPart: (type: string) =>
    storageError(415, 'InvalidRequest', `The body must be of the type ${type}`),
  uploadTooSlow: () =>
    storageError(408, 'RequestTimeout', 'The upload took too long', 'Request Timeout'),
  diskFull: () =>
    storageError(
      507,
      'InsufficientStorage',
      'The storage is full. Ask the operator of this server to make room.',
      'Insufficient Storage',
    ),
  rangeNotSatisfiable: (size: number) =>
    new ServiceError({
      status: 416,
      code: 'InvalidRange',
      message: 'invalid range provided',
      extra: { code: 'InvalidRange', error: 'invalid_range' },
      headers: { 'content-range': `bytes */${size}` },
    }),
  storeUnavailable: (options?: ErrorOptions) =>
    storageError(
      503,
      'StoreUnavailable',
      'The file store is out of reach. Try again later.',
      'StoreUnavailable',
      options,
    ),
  notSupported: (feature: string) =>
    storageError(501, 'NotSupported', `${feature} is not supported by this storage service`),
}
