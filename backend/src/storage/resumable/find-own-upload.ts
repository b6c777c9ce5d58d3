import type { Caller } from '#http/caller.ts'
import type { Context } from '#http/context.ts'
import type { Storage } from '../context.ts'
import { storageErrors } from '../errors.ts'
import { saveObject, type NewObject } from '../object-rows.ts'
import { dryRunAs } from '../run-as-member.ts'
import { signerCaller, verifySignature, type Signature } from '../signatures.ts'
import { findUpload, type NewUpload, type ResumableUpload } from './upload-rows.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The signature that a request to `…/sign` carries in a header. @throws what verifying it throws */
export function signatureOf(
  storage: Storage,
  { headers }: Request,
  address: { bucket: string; name: string },
): Promise<Signature> {
  const token = headers.get('x-signature') ?? ''
  return verifySignature(storage, token, 'upload', `${address.bucket}/${address.name}`)
}

type OwnUpload = { upload: ResumableUpload; caller: Caller }

/**
 * An upload of the caller's, on any of their devices, who may still store the object. `rest` is the upload's id, after `sign/`
 * for one begun with a signed address.
 * @throws NoSuchUpload also for somebody else's; UploadExpired; what storing the object would throw now
 */
export async function findOwnUpload(
  storage: Storage,
  request: Request,
  context: Context,
  rest: string,
  operation: string,
): Promise<OwnUpload> {
  const { upload, caller } = await identifyUpload(storage, request, context, rest)
  if (upload.finished) return { upload, caller }
  try {
    await assertMayUpload(storage, { ...context, caller }, upload, operation)
    return { upload, caller }
  } catch (error) {
    // The name is taken as soon as another request has finished the upload.
    const later = await findUpload(storage, upload.id)
    if (!later?.finished) throw error
    return { upload: later, caller }
  }
}

async function identifyUpload(
  storage: Storage,
  request: Request,
  context: Context,
  rest: string,
): Promise<OwnUpload> {
  const isSigned = rest.startsWith('sign/')
  const id = isSigned ? rest.slice('sign/'.length) : rest
  const upload = UUID.test(id) ? await findUpload(storage, id) : null
  if (!upload || isSigned !== (upload.signatureId !== null)) throw storageErrors.noSuchUpload()
  let { caller } = context
  if (isSigned) {
    const signature = await signatureOf(storage, request, upload)
    if (signature.id !== upload.signatureId) throw storageErrors.noSuchUpload()
    caller = await signerCaller(storage, signature)
  }
  const isOwn = caller.role === upload.role && (caller.claims.sub ?? null) === upload.ownerId
  if (!isOwn) throw storageErrors.noSuchUpload()
  if (upload.expiresAt.getTime() <= storage.clock.now()) throw storageErrors.uploadExpired()
  return { upload, caller }
}

/** @throws what storing the object as the caller would throw now */
export async function assertMayUpload(
  { database }: Storage,
  { caller, randomId }: Pick<Context, 'caller' | 'randomId'>,
  upload: NewUpload,
  operation: string,
): Promise<void> {
  const { declaredType, length } = upload
  const probe: NewObject = {
    ...upload,
    id: randomId(),
    version: '1',
    metadata: { mimetype: declaredType ?? '', size: length, contentLength: length },
  }
  await dryRunAs(database, caller, operation, saveObject(probe, upload.upsert))
}
