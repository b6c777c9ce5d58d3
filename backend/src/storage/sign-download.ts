import * as v from 'valibot'
import { boundedList } from '#http/bounded.ts'
import type { Action } from './context.ts'
import { findForMember, findBucket } from './find-bucket.ts'
import { LIMITS } from './limits.ts'
import { assertBucketName, objectAddress, splitAddress } from './names.ts'
import { parseBody } from './parse-body.ts'
import { queryAs } from './run-as-member.ts'
import { sign } from './signatures.ts'

const expiresIn = v.pipe(
  v.number(),
  v.integer(),
  v.minValue(1),
  v.maxValue(LIMITS.signedDownloadMs / 1000),
)
const oneSchema = v.object({ expiresIn })
const manySchema = v.object({
  expiresIn,
  paths: boundedList(v.string(), 1, LIMITS.pathsPerRequest),
})
const OPERATION = 'storage.object.sign'
const NOT_FOUND = 'Either the object does not exist or you do not have access to it'

/** Signs a download URL, valid until it expires or the signer loses the right to read. */
export const signDownload: Action = async (storage, request, context, rest) => {
  const { expiresIn } = await parseBody(oneSchema, request, context)
  const address = objectAddress(rest)
  await findBucket(storage, address.bucket)
  await findForMember(storage, context, OPERATION, address)
  const url = `${address.bucket}/${address.name}`
  const token = await sign(storage, context.caller, {
    scope: 'download',
    url,
    lifeMs: expiresIn * 1000,
    id: context.randomId(),
  })
  return Response.json({ signedURL: `/object/sign/${url}?token=${token}` })
}

/** Signs many download URLs, each with its own result or error. */
export const signDownloads: Action = async (storage, request, context, rest) => {
  const { expiresIn, paths } = await parseBody(manySchema, request, context)
  const { bucket } = splitAddress(rest)
  assertBucketName(bucket)
  await findBucket(storage, bucket)
  const { rows } = await queryAs(storage.database, context, 'storage.object.sign_many', {
    name: 'storage_find_names',
    text: 'select name from storage.objects where bucket_id = $1 and name = any($2)',
    values: [bucket, paths],
  })
  const readable = new Set(rows.map(({ name }) => String(name)))
  const signed = paths.map(async (path) => {
    if (!readable.has(path)) return { error: NOT_FOUND, path, signedURL: null }
    const url = `${bucket}/${path}`
    const token = await sign(storage, context.caller, {
      scope: 'download',
      url,
      lifeMs: expiresIn * 1000,
      id: context.randomId(),
    })
    return { error: null, path, signedURL: `/object/sign/${url}?token=${token}` }
  })
  return Response.json(await Promise.all(signed))
}
