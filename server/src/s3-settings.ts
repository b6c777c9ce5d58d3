import type { S3Settings } from 'backend/gateway/start-backend.ts'
import { SettingsError, type Settings } from './settings.ts'

/** Where uploaded files are, if not in DATA_DIR. @throws SettingsError when the S3 settings are incomplete */
export function s3Settings(settings: Settings): S3Settings | undefined {
  const {
    S3_ENDPOINT: endpoint,
    S3_REGION: region,
    S3_BUCKET: bucket,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  } = settings
  if (!endpoint && !bucket) return undefined
  if (!endpoint || !bucket || !accessKeyId || !secretAccessKey) {
    throw new SettingsError(
      'An S3 store needs S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.',
    )
  }
  return { endpoint, region, bucket, accessKeyId, secretAccessKey }
}
