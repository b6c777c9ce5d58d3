/** Limits per caller. Listed in docs/limits.md. */
export const LIMITS = {
  /** A file, unless its bucket allows less; as on hosted's free plan. */
  fileBytes: 50 * 1024 * 1024,
  /** Of an image, by its own header; above a phone's camera of 48 megapixels. */
  imagePixels: 50_000_000,
  /** The rest of a form: field names, boundaries, metadata. */
  formBytes: 256 * 1024,
  formFields: 20,
  formParts: 40,
  /** Custom metadata of one object, and any other field of a form. */
  metadataBytes: 64 * 1024,
  /** A JSON request; fits a thousand names of maximum length. */
  jsonBytes: 1024 * 1024 + 64 * 1024,
  /** The name of an object, including its path; as in S3. */
  nameLength: 1024,
  /** Objects per request to sign or delete; as hosted. */
  pathsPerRequest: 1000,
  /** Types that one bucket allows. */
  mimeTypes: 200,
  /** Entries per page of a list; as hosted. */
  listRows: 1000,
  /** Concurrent uploads per account, or per address without an account. */
  uploadsPerCaller: 6,
  /** Concurrent uploads of this process. */
  uploads: 64,
  /** While so many run, each caller gets one. */
  uploadsUntilShared: 32,
  /** Duration of an upload: 50 MiB at 90 KB/s. */
  uploadMs: 10 * 60 * 1000,
  /** What must arrive of an upload in every `uploadRateMs`: 8 KiB/s. */
  uploadRateBytes: 80 * 1024,
  uploadRateMs: 10 * 1000,
  /** How long an upload that can be resumed may take; as hosted. */
  resumableUploadMs: 24 * 60 * 60 * 1000,
  /** `Upload-Metadata` of such an upload, encoded. */
  resumableMetadataBytes: 8 * 1024,
  /** Unfinished uploads of an account, or of an address without an account, and the bytes they announced. */
  openUploadsPerCaller: 50,
  openUploadBytesPerCaller: 1024 * 1024 * 1024,
  /** The same for all callers together. */
  openUploads: 1000,
  openUploadBytes: 10 * 1024 * 1024 * 1024,
  /** What is stored at once of such an upload; the size of chunk that hosted asks its clients for. */
  partBytes: 6 * 1024 * 1024,
  /** Less than this of a part is not kept when the connection breaks. */
  cutPartBytes: 64 * 1024,
  partsPerUpload: 1000,
  /** How long the rest of a rejected upload is drained, so that the client receives the response. */
  drainMs: 30 * 1000,
  /** Disk space reserved for the database and its WAL. */
  freeDiskBytes: 512 * 1024 * 1024,
  /** Maximum lifetime of a signed download URL. Hosted allows any. */
  signedDownloadMs: 24 * 60 * 60 * 1000,
  /** Lifetime of a signed upload URL. Hosted: two hours. */
  signedUploadMs: 15 * 60 * 1000,
  /** How long a browser may cache a signed URL's response, because rights may end before the URL expires. */
  signedCacheMs: 5 * 60 * 1000,
} as const
