import type { Caller } from '#http/caller.ts'
import type { Context } from '#http/context.ts'
import type { Storage } from '../context.ts'
import { storageErrors } from '../errors.ts'
import type { BucketRules } from '../find-bucket.ts'
import type { ObjectStore } from '../object-store.ts'
import { removeOrphans } from '../orphaned-files.ts'
import { transactionAs } from '../run-as-member.ts'
import { stageUpload } from '../staged-upload.ts'
import { storeStaged } from '../store-upload.ts'
import { dropIfHopeless, findParts, findUpload, releaseParts } from './upload-rows.ts'
import type { Part, ResumableUpload } from './upload-rows.ts'

/** Makes an object of an upload whose bytes have all arrived, with the caller's rights; once, however often it is called. */
export async function finishUpload(
  storage: Storage,
  { caller, randomId }: Pick<Context, 'caller' | 'randomId'>,
  upload: ResumableUpload,
  bucket: BucketRules,
  operation: string,
): Promise<void> {
  try {
    const version = randomId()
    const parts = await findParts(storage, upload.id)
    const staged = await stageUpload(readParts(storage.store, parts), {
      directory: storage.stagingDirectory,
      id: version,
      limit: upload.length,
    })
    await storeStaged(storage, {
      ...upload,
      staged,
      version,
      id: randomId(),
      bucket,
      write: (save) => writeAs(storage, caller, operation, upload.id, save),
    })
  } catch (error) {
    if (!(await findUpload(storage, upload.id))?.finished) {
      await dropIfHopeless(storage, upload.id, error)
      throw error
    }
    // Another request was faster.
  }
  await releaseParts(storage, upload.id)
  await removeOrphans(storage)
}

type Save = Parameters<Parameters<typeof storeStaged>[1]['write']>[0]

function writeAs(storage: Storage, caller: Caller, operation: string, id: string, save: Save) {
  return transactionAs(storage.database, caller, operation, async (query) => {
    // Read by a trigger, which ends the upload in the same transaction.
    await query({
      name: 'storage_resumable_upload',
      text: `select set_config('storage.resumable_upload', $1, true)`,
      values: [id],
    })
    await save(query)
  })
}

/** @throws NoSuchUpload when a file is gone, as after restoring a backup, which holds no parts */
async function* readParts(
  store: ObjectStore,
  parts: readonly Part[],
): AsyncGenerator<Uint8Array, void> {
  for (const { version, size } of parts) {
    const body = await store.read(version, size, null)
    if (!body) throw storageErrors.noSuchUpload()
    if (body instanceof Uint8Array) yield body
    else yield* body
  }
}
