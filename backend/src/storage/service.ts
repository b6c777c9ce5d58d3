// /storage/v1: buckets and objects. Rights are policies on storage.buckets and storage.objects; the service runs each
// request's statements on them as the caller, and manages the files.
import { join } from 'node:path'
import type { Handler } from '#http/context.ts'
import type { Storage, StorageSettings } from './context.ts'
import { createFileStore } from './file-store.ts'
import { removeOrphans, removeStaleUploads } from './orphaned-files.ts'
import { drainUnread } from './request-body.ts'
import { deleteExpiredUploads } from './resumable/upload-rows.ts'
import { findAction } from './routes.ts'
import { createS3Store } from './s3-store.ts'
import { rejectVersionInAddress } from './unsupported.ts'
import { freeBytesIn } from './upload-slots.ts'

const PREFIX = /^\/storage\/v1\//
const CLEANUP_INTERVAL_MS = 10 * 60 * 1000

export function createStorageService({
  settings,
  ...parts
}: Omit<Storage, 'store' | 'stagingDirectory' | 'slots' | 'freeBytes'> & {
  settings: StorageSettings
}): {
  handle: Handler
  close(): Promise<void>
} {
  const storage: Storage = {
    ...parts,
    store: settings.s3 ? createS3Store(settings.s3) : createFileStore(settings.directory),
    stagingDirectory: join(settings.directory, 'drafts'),
    slots: new Map(),
    freeBytes: settings.freeBytes ?? freeBytesIn,
  }
  let cleanup: Promise<unknown> = removeStaleUploads(storage)
  const timer = setInterval(() => {
    cleanup = deleteExpiredUploads(storage).then(() => removeOrphans(storage))
  }, CLEANUP_INTERVAL_MS)
  timer.unref()

  return {
    async handle(request, context) {
      const url = new URL(request.url)
      const path = url.pathname.replace(PREFIX, '')
      try {
        rejectVersionInAddress(url)
        const [action, rest] = findAction(request.method, path)
        return await action(storage, request, context, rest)
      } finally {
        drainUnread(request)
      }
    },
    async close() {
      clearInterval(timer)
      await cleanup
    },
  }
}
