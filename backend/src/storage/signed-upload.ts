import type { Action } from './context.ts'
import { findBucket } from './find-bucket.ts'
import { LIMITS } from './limits.ts'
import { objectAddress } from './names.ts'
import { saveObject } from './object-rows.ts'
import { dryRunAs } from './run-as-member.ts'
import {
  signerCaller,
  releaseSignature,
  sign,
  consumeSignature,
  tokenIn,
  verifySignature,
} from './signatures.ts'
import { uploadAs } from './upload-object.ts'

/** Signs a URL for one upload of one object without signing in; the signer must have the right to upload it. */
export const signUpload: Action = async (storage, request, { caller, randomId }, rest) => {
  const { bucket, name } = objectAddress(rest)
  await findBucket(storage, bucket)
  const upsert = request.headers.get('x-upsert') === 'true'
  const probe = {
    id: randomId(),
    bucket,
    name,
    version: '1',
    ownerId: caller.claims.sub ?? null,
    metadata: {},
    userMetadata: {},
  }
  const operation = 'storage.object.sign_upload_url'
  await dryRunAs(storage.database, caller, operation, saveObject(probe, upsert))
  const url = `${bucket}/${name}`
  const token = await sign(storage, caller, {
    scope: 'upload',
    url,
    upsert,
    lifeMs: LIMITS.signedUploadMs,
    id: randomId(),
  })
  return Response.json({ url: `/object/upload/sign/${url}?token=${token}`, token })
}

/** Uploads to a signed URL as its signer, with the signer's current rights. */
export const uploadToSignedUrl: Action = async (storage, request, context, rest) => {
  const { bucket, name } = objectAddress(rest)
  const signature = await verifySignature(storage, tokenIn(request), 'upload', `${bucket}/${name}`)
  const caller = await signerCaller(storage, signature)
  await consumeSignature(storage, signature)
  try {
    await uploadAs(storage, request, {
      ...context,
      caller,
      address: { bucket, name },
      upsert: signature.upsert,
      operation: 'storage.object.upload_signed',
    })
  } catch (error) {
    await releaseSignature(storage, signature)
    throw error
  }
  return Response.json({ Key: `${bucket}/${name}` })
}
