import { basename, dirname } from 'node:path'
import { BackupError } from '../archive/errors.ts'
import type { Settings } from '../../settings.ts'
import { createFolderPlace } from './folder-place.ts'
import type { Place } from './place.ts'
import { createS3Place } from './s3-place.ts'

const BUCKET = /^s3:\/\/([^/]+)\/?(.*)$/

/** @param address a folder, or `s3://bucket/folder` @throws BackupError if the settings lack what a bucket needs */
export function openPlace(address: string, settings: Settings, signal?: AbortSignal): Place {
  const [, bucket, folder = ''] = BUCKET.exec(address) ?? []
  if (!bucket) return createFolderPlace(address, { dataDir: settings.DATA_DIR })
  const region = settings.BACKUP_S3_REGION ?? settings.S3_REGION
  const accessKeyId = settings.BACKUP_S3_ACCESS_KEY_ID ?? settings.S3_ACCESS_KEY_ID
  const secretAccessKey = settings.BACKUP_S3_SECRET_ACCESS_KEY ?? settings.S3_SECRET_ACCESS_KEY
  if (!accessKeyId || !secretAccessKey) {
    throw new BackupError(
      'A bucket needs BACKUP_S3_ACCESS_KEY_ID and BACKUP_S3_SECRET_ACCESS_KEY (or S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY).',
    )
  }
  return createS3Place({
    endpoint:
      settings.BACKUP_S3_ENDPOINT ?? settings.S3_ENDPOINT ?? `https://s3.${region}.amazonaws.com`,
    region,
    bucket,
    prefix: folder && !folder.endsWith('/') ? `${folder}/` : folder,
    accessKeyId,
    secretAccessKey,
    signal,
  })
}

/** The place of one backup and its name there, from the address that a backup printed. */
export function openBackup(
  address: string,
  settings: Settings,
  signal?: AbortSignal,
): { place: Place; name: string } {
  const slash = address.lastIndexOf('/')
  if (BUCKET.test(address)) {
    return {
      place: openPlace(address.slice(0, slash), settings, signal),
      name: address.slice(slash + 1),
    }
  }
  return { place: openPlace(dirname(address), settings, signal), name: basename(address) }
}
