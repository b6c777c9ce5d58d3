import * as v from 'valibot'

const MIN_PASSPHRASE = 12
const MAX_KEPT = 1000

const isBucket = (text: string) => /^s3:\/\/[a-z0-9][a-z0-9.-]+(\/\S*)?$/.test(text)

/**
 * Nightly backups, and what every backup is encrypted with. Off without BACKUP_TO. The two of Supabase name the project that a
 * backup is moved into, or out of.
 */
export const backupSettings = {
  BACKUP_TO: v.optional(
    v.pipe(
      v.string(),
      v.check(
        (text) => !text.includes('://') || isBucket(text),
        'must be a folder, or a bucket such as s3://bucket/folder',
      ),
    ),
  ),
  BACKUP_AT: v.optional(
    v.pipe(v.string(), v.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day such as 03:00')),
    '03:00',
  ),
  BACKUP_KEEP: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d+$/, 'must be a number'),
      v.transform(Number),
      v.minValue(1, `must be between 1 and ${MAX_KEPT}`),
      v.maxValue(MAX_KEPT, `must be between 1 and ${MAX_KEPT}`),
    ),
    '7',
  ),
  BACKUP_PASSPHRASE: v.optional(
    v.pipe(
      v.string(),
      v.minLength(MIN_PASSPHRASE, `must have at least ${MIN_PASSPHRASE} characters`),
    ),
  ),
  BACKUP_S3_ENDPOINT: v.optional(v.pipe(v.string(), v.url('must be a URL'))),
  BACKUP_S3_REGION: v.optional(v.string()),
  BACKUP_S3_ACCESS_KEY_ID: v.optional(v.string()),
  BACKUP_S3_SECRET_ACCESS_KEY: v.optional(v.string()),
  SUPABASE_URL: v.optional(
    v.pipe(v.string(), v.regex(/^https?:\/\/\S+$/, 'must be a URL that begins with https://')),
  ),
  SUPABASE_SECRET_KEY: v.optional(v.string()),
}
