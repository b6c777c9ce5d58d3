import * as v from 'valibot'
import { findForMember, findBucket } from './find-bucket.ts'
import { assertBucketName, objectAddress, splitAddress } from './names.ts'
import { parseBody } from './parse-body.ts'
import { readAs } from './run-as-member.ts'
import type { Action } from './service.ts'
import { sign } from './signatures.ts'

const TEN_YEARS_S = 10 * 366 * 24 * 60 * 60
const expiresIn = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(TEN_YEARS_S))
const oneSchema = v.object({
  expiresIn,
  transform: v.optional(v.never()),
  versionId: v.optional(v.never()),
})
const manySchema = v.object({
  expiresIn,
  paths: v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(1000)),
})
const OPERATION = 'storage.object.sign'
const NOT_FOUND = 'Either the object does not exist or you do not have access to it'

/** An address that anyone may read the object at for a while; who signs must be able to read it. */
export const signDownload: Action = async (storage, request, context, rest) => {
  const { expiresIn } = await parseBody(oneSchema, request)
  const address = objectAddress(rest)
  await findBucket(storage, address.bucket)
  await findForMember(storage, context, OPERATION, address)
  const url = `${address.bucket}/${address.name}`
  const token = await sign(storage, 'download', { url }, expiresIn)
  return Response.json({ signedURL: `/object/sign/${url}?token=${token}` })
}

/** The same for many at once, each with its own address or its own error. */
export const signDownloads: Action = async (storage, request, context, rest) => {
  const { expiresIn, paths } = await parseBody(manySchema, request)
  const { bucket } = splitAddress(rest)
  assertBucketName(bucket)
  await findBucket(storage, bucket)
  const { rows } = await readAs(storage.database, context, 'storage.object.sign_many', {
    name: 'storage_find_names',
    text: 'select name from storage.objects where bucket_id = $1 and name = any($2)',
    values: [bucket, paths],
  })
  const readable = new Set(rows.map(({ name }) => String(name)))
  const signed = paths.map(async (path) => {
    if (!readable.has(path)) return { error: NOT_FOUND, path, signedURL: null }
    const url = `${bucket}/${path}`
    const token = await sign(storage, 'download', { url }, expiresIn)
    return { error: null, path, signedURL: `/object/sign/${url}?token=${token}` }
  })
  return Response.json(await Promise.all(signed))
}
