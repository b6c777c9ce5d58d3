// The routes of the storage service; the first match wins.
import * as buckets from './buckets.ts'
import type { Action } from './context.ts'
import { copyObject } from './copy-object.ts'
import * as download from './download-object.ts'
import { storageErrors } from './errors.ts'
import { listObjectsV2 } from './list-objects-v2.ts'
import { listObjects } from './list-objects.ts'
import { moveObject } from './move-object.ts'
import { removeObject, removeObjects } from './remove-objects.ts'
import * as resumable from './resumable/continue-upload.ts'
import { createUpload } from './resumable/create-upload.ts'
import { signDownload, signDownloads } from './sign-download.ts'
import { signUpload, uploadToSignedUrl } from './signed-upload.ts'
import { uploadObject } from './upload-object.ts'

/** The group in `path` is passed to the action: the address of an object or the id of a bucket. */
const ROUTES: readonly [method: RegExp, path: RegExp, action: Action][] = [
  [/^GET$/, /^bucket\/?$/, buckets.listBuckets],
  [/^POST$/, /^bucket\/?$/, buckets.createBucket],
  [/^POST$/, /^bucket\/([^/]+\/empty)$/, buckets.emptyBucket],
  [/^GET$/, /^bucket\/([^/]+)$/, buckets.getBucket],
  [/^PUT$/, /^bucket\/([^/]+)$/, buckets.updateBucket],
  [/^DELETE$/, /^bucket\/([^/]+)$/, buckets.deleteBucket],
  [/^POST$/, /^object\/list\/([^/]+)$/, listObjects],
  [/^POST$/, /^object\/list-v2\/([^/]+)$/, listObjectsV2],
  [/^POST$/, /^object\/move$/, moveObject],
  [/^POST$/, /^object\/copy$/, copyObject],
  [/^POST$/, /^object\/sign\/([^/]+)$/, signDownloads],
  [/^POST$/, /^object\/sign\/(.+)$/, signDownload],
  [/^(GET|HEAD)$/, /^object\/sign\/(.+)$/, download.downloadSignedObject],
  [/^POST$/, /^object\/upload\/sign\/(.+)$/, signUpload],
  [/^PUT$/, /^object\/upload\/sign\/(.+)$/, uploadToSignedUrl],
  [/^POST$/, /^upload\/resumable(?:\/(sign))?\/?$/, createUpload],
  [/^HEAD$/, /^upload\/resumable\/(.+)$/, resumable.uploadProgress],
  [/^(PATCH|POST)$/, /^upload\/resumable\/(.+)$/, resumable.continueUpload],
  [/^DELETE$/, /^upload\/resumable\/(.+)$/, resumable.terminateUpload],
  [/^GET$/, /^object\/info\/public\/(.+)$/, download.publicObjectInfo],
  [/^GET$/, /^object\/info\/authenticated\/(.+)$/, download.objectInfo],
  [/^GET$/, /^object\/info\/(.+)$/, download.objectInfo],
  [/^(GET|HEAD)$/, /^object\/public\/(.+)$/, download.downloadPublicObject],
  [/^(GET|HEAD)$/, /^object\/authenticated\/(.+)$/, download.downloadObject],
  [/^(GET|HEAD)$/, /^object\/([^/]+\/.+)$/, download.downloadObject],
  [/^(POST|PUT)$/, /^object\/([^/]+\/.+)$/, uploadObject],
  [/^DELETE$/, /^object\/([^/]+\/.+)$/, removeObject],
  [/^DELETE$/, /^object\/([^/]+)$/, removeObjects],
]

/** Unsupported parts of the protocol; listed in docs/protocol.md. */
const UNSUPPORTED: readonly [path: RegExp, feature: string][] = [
  [/^render\//, 'Image transformation'],
  [/^(s3|iceberg|vector)(\/|$)/, 'This interface'],
  [/^cdn\//, 'Purging a cache'],
  [/^bucket\/[^/]+\/lifecycle$/, 'Bucket lifecycle'],
]

/** @throws NotFound, or NotSupported for an unsupported feature */
export function findAction(method: string, path: string): [Action, rest: string] {
  const [, feature] = UNSUPPORTED.find(([pattern]) => pattern.test(path)) ?? []
  if (feature) throw storageErrors.notSupported(feature)
  for (const [methods, pattern, action] of ROUTES) {
    const match = methods.test(method) && pattern.exec(path)
    if (match) return [action, match[1] ?? '']
  }
  throw storageErrors.noSuchRoute()
}
