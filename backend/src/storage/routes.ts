// /storage/v1: buckets and objects. Rights are policies on storage.buckets and storage.objects; this service turns
// requests into work on those tables in the member's name, and looks after the bytes.
import { join } from 'node:path'
import type { Handler } from '#http/context.ts'
import * as buckets from './buckets.ts'
import { copyObject } from './copy-object.ts'
import * as download from './download-object.ts'
import { storageErrors } from './errors.ts'
import { removeLeftovers, removeOldDrafts } from './leftovers.ts'
import { listObjects } from './list-objects.ts'
import { listObjectsV2 } from './list-objects-v2.ts'
import { moveObject } from './move-object.ts'
import { createObjectStore } from './object-store.ts'
import { removeObject, removeObjects } from './remove-objects.ts'
import { drainUnread } from './request-body.ts'
import type { Action, Storage, StorageSettings } from './service.ts'
import { signDownload, signDownloads } from './sign-download.ts'
import { signUpload, uploadToSignedUrl } from './signed-upload.ts'
import { uploadObject } from './upload-object.ts'

const PREFIX = /^\/storage\/v1\//
const CLEANING_MS = 10 * 60 * 1000

/** `:rest` is what the action gets: the address of an object or the id of a bucket. The first match counts. */
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
/** Parts of the protocol that are left out, by name; listed in docs/protocol.md. */
const LEFT_OUT: readonly [path: RegExp, feature: string][] = [
  [/^render\//, 'Image transformation'],
  [/^upload\/resumable/, 'Resumable upload'],
  [/^(s3|iceberg|vector)(\/|$)/, 'This interface'],
  [/^cdn\//, 'Purging a cache'],
  [/^bucket\/[^/]+\/lifecycle$/, 'Bucket lifecycle'],
]

/** The storage service over one database and one place for files. */
export function createStorageService({
  settings,
  ...parts
}: Omit<Storage, 'store' | 'draftDirectory' | 'fileSizeLimit'> & { settings: StorageSettings }): {
  handle: Handler
  close(): Promise<void>
} {
  const storage: Storage = {
    ...parts,
    store: createObjectStore(settings),
    draftDirectory: join(settings.directory, 'drafts'),
    fileSizeLimit: settings.fileSizeLimit,
  }
  let cleaning: Promise<unknown> = removeOldDrafts(storage)
  const timer = setInterval(() => {
    cleaning = removeLeftovers(storage)
  }, CLEANING_MS)
  timer.unref()

  return {
    async handle(request, context) {
      const path = new URL(request.url).pathname.replace(PREFIX, '')
      try {
        const [action, rest] = findAction(request.method, path)
        return await action(storage, request, context, rest)
      } finally {
        drainUnread(request)
      }
    },
    async close() {
      clearInterval(timer)
      await cleaning
    },
  }
}

function findAction(method: string, path: string): [Action, rest: string] {
  const [, feature] = LEFT_OUT.find(([pattern]) => pattern.test(path)) ?? []
  if (feature) throw storageErrors.notSupported(feature)
  for (const [methods, pattern, action] of ROUTES) {
    const match = methods.test(method) && pattern.exec(path)
    if (match) return [action, match[1] ?? '']
  }
  throw storageErrors.noSuchRoute()
}
