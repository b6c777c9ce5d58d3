/** Limits per caller. Listed in docs/limits.md. */
export const LIMITS = {
  // As on hosted's free plan.
  /** A file; a bucket may allow less. @refusal 413 `EntityTooLarge` */
  fileBytes: 50 * 1024 * 1024,
  // Counted by the image's own header. Above a phone's camera of 48 megapixels.
  /** Pixels of a JPEG, PNG, GIF or WebP. @refusal 400 `InvalidRequest` */
  imagePixels: 50_000_000,
  /** What a form sends besides its file. @refusal 413 `EntityTooLarge` */
  formBytes: 256 * 1024,
  /** Fields of a form. @refusal 400 `InvalidRequest` */
  formFields: 20,
  /** Parts of a form. @refusal 400 `InvalidRequest` */
  formParts: 40,
  /** Custom metadata, and any other field of a form. @refusal 400 `InvalidRequest` */
  metadataBytes: 64 * 1024,
  // Fits a thousand names of maximum length.
  /** A JSON request. @refusal 413 `EntityTooLarge` */
  jsonBytes: 1024 * 1024 + 64 * 1024,
  // As in S3.
  /** Characters of an object's name, path included. @refusal 400 `InvalidKey` */
  nameLength: 1024,
  // As hosted.
  /** Objects of one request to sign or remove. @refusal 400 `InvalidRequest` */
  pathsPerRequest: 1000,
  /** Types that one bucket allows. @refusal 400 `InvalidRequest` */
  mimeTypes: 200,
  // As hosted.
  /** Entries of one page of a list. @refusal 400 `InvalidRequest` */
  listRows: 1000,
  /** Uploads of one account, or of one address without an account, at the same time. @refusal 429 `TooManyRequests` */
  uploadsPerCaller: 6,
  /** Uploads of one process at the same time. @refusal 429 `TooManyRequests` */
  uploads: 64,
  /** While so many run, each caller gets one. @refusal 429 `TooManyRequests` */
  uploadsUntilShared: 32,
  // 50 MiB at 90 KB/s.
  /** An upload from its first byte to its last. @refusal 408 `RequestTimeout` */
  uploadMs: 10 * 60 * 1000,
  // 8 KiB/s.
  /** What must arrive of an upload in every `uploadRateMs`. @refusal 408 `RequestTimeout` */
  uploadRateBytes: 80 * 1024,
  /** How often that is checked. */
  uploadRateMs: 10 * 1000,
  // As hosted.
  /** A resumable upload from its creation to its last byte. @refusal 410 `UploadExpired` */
  resumableUploadMs: 24 * 60 * 60 * 1000,
  /** `Upload-Metadata` of a resumable upload, encoded. @refusal 400 `InvalidRequest` */
  resumableMetadataBytes: 8 * 1024,
  /** Unfinished resumable uploads of one account, or of one address without an account. @refusal 429 `TooManyRequests` */
  openUploadsPerCaller: 50,
  /** The bytes that these announced. @refusal 429 `TooManyRequests` */
  openUploadBytesPerCaller: 1024 * 1024 * 1024,
  /** Unfinished resumable uploads of all. @refusal 429 `TooManyRequests` */
  openUploads: 1000,
  /** The bytes that these announced. @refusal 429 `TooManyRequests` */
  openUploadBytes: 10 * 1024 * 1024 * 1024,
  // The size of chunk that hosted asks its clients for.
  /** What of a resumable upload is stored and counted at once. @refusal None; the next part */
  partBytes: 6 * 1024 * 1024,
  /** What is not worth keeping when its connection breaks, if less. @refusal It is sent again */
  cutPartBytes: 64 * 1024,
  /** Parts of one resumable upload. @refusal 400 `InvalidRequest` */
  partsPerUpload: 1000,
  /** Reading the rest of a refused upload, so that its sender gets the response. @refusal The connection is closed */
  drainMs: 30 * 1000,
  // For the database and its WAL.
  /** Disk space that uploads leave free. @refusal 507 `InsufficientStorage` */
  freeDiskBytes: 512 * 1024 * 1024,
  // Hosted allows any.
  /** Life of an address signed for reading. @refusal 400 `InvalidRequest` */
  signedDownloadMs: 24 * 60 * 60 * 1000,
  // Hosted: two hours.
  /** Life of an address signed for an upload. @refusal 400 `ExpiredToken` */
  signedUploadMs: 15 * 60 * 1000,
  // Rights may end before the address expires.
  /** How long a browser keeps what it read at a signed address. @refusal It asks again */
  signedCacheMs: 5 * 60 * 1000,
} as const
