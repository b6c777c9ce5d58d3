// Signed URLs. Their tokens have no role, so they are useless as access tokens, and a scope, so they are useless for other
// actions. They identify the signer, whose rights at the time of use apply.
import * as v from 'valibot'
import { TokenRefusedError } from '#http/access-tokens.ts'
import { callerFromClaims, type Caller, type Claims } from '#http/caller.ts'
import type { Storage } from './context.ts'
import { storageErrors } from './errors.ts'

export type Scope = 'download' | 'upload'

const claimsSchema = v.object({
  url: v.string(),
  scope: v.picklist(['download', 'upload']),
  exp: v.number(),
  jti: v.pipe(v.string(), v.uuid()),
  upsert: v.optional(v.boolean(), false),
  signer: v.object({
    role: v.string(),
    sub: v.optional(v.pipe(v.string(), v.uuid())),
    session: v.optional(v.pipe(v.string(), v.uuid())),
    // What the session had shown.
    aal: v.optional(v.string()),
    amr: v.optional(v.array(v.object({ method: v.string(), timestamp: v.number() }))),
  }),
})
type Signer = v.InferOutput<typeof claimsSchema>['signer']

export type SignatureParams = {
  scope: Scope
  /** `bucket/name` */
  url: string
  lifeMs: number
  id: string
  upsert?: boolean
}

export type Signature = { id: string; upsert: boolean; expiresAt: number; signer: Signer }

/** Signs a token for one action on one object. */
export function sign(
  { tokens, clock }: Storage,
  caller: Caller,
  { scope, url, lifeMs, id, upsert }: SignatureParams,
): Promise<string> {
  const iat = Math.floor(clock.now() / 1000)
  const { role, claims } = caller
  const signer = {
    role,
    sub: claims.sub,
    session: claims.session_id,
    aal: claims.aal,
    amr: claims.amr,
  }
  return tokens.sign({ url, scope, upsert, signer, jti: id, iat, exp: iat + lifeMs / 1000 })
}

/** The token in a signed URL. */
export function tokenIn({ url }: Request): string {
  return new URL(url).searchParams.get('token') ?? ''
}

/** @throws InvalidJWT, ExpiredToken, or InvalidSignature for a token of another action or object */
export async function verifySignature(
  { tokens }: Storage,
  token: string,
  scope: Scope,
  address: string,
): Promise<Signature> {
  const claims = await tokens.verifyClaims(token).catch((error: unknown) => {
    if (!(error instanceof TokenRefusedError)) throw error
    throw error.reason === 'expired'
      ? storageErrors.expiredToken({ cause: error })
      : storageErrors.invalidToken({ cause: error })
  })
  const { success, output } = v.safeParse(claimsSchema, claims)
  if (!success || output.scope !== scope || output.url !== address)
    throw storageErrors.invalidSignature()
  const { jti, upsert, exp, signer } = output
  return { id: jti, upsert, expiresAt: exp * 1000, signer }
}

/** The signer with current claims. @throws AccessDenied when the account or session no longer exists */
export async function signerCaller({ database }: Storage, { signer }: Signature): Promise<Caller> {
  if (signer.sub === undefined) return callerFromClaims({ role: signer.role })
  const { rows } = await database
    .asService('storage', 'loads the current claims of a signer')
    .query({
      name: 'storage_signer_claims',
      text: 'select storage.signer_claims($1, $2) as claims',
      values: [signer.sub, signer.session ?? null],
    })
  const { claims } = rows[0] as { claims: Claims | null }
  if (!claims) throw storageErrors.signerGone()
  return callerFromClaims({ ...claims, aal: signer.aal ?? claims.aal, amr: signer.amr })
}

/** Marks a signature as used. @throws InvalidSignature when it was already used */
export async function consumeSignature(
  { database, clock }: Storage,
  signature: Signature,
): Promise<void> {
  const { rowCount } = await database.asService('storage', 'bookkeeping of signatures').query({
    name: 'storage_use_signature',
    text: `with expired as (delete from storage.used_signatures where expires_at <= $3)
             insert into storage.used_signatures (id, expires_at) values ($1, $2) on conflict do nothing`,
    values: [signature.id, new Date(signature.expiresAt), new Date(clock.now())],
  })
  if (rowCount === 0) throw storageErrors.usedSignature()
}

/** Makes a signature usable again after a failed upload, so that the client can retry. */
export async function releaseSignature(
  { database, log }: Storage,
  { id }: Signature,
): Promise<void> {
  try {
    await database.asService('storage', 'bookkeeping of signatures').query({
      name: 'storage_release_signature',
      text: 'delete from storage.used_signatures where id = $1',
      values: [id],
    })
  } catch (error) {
    log.warn({ err: error }, 'could not release the signature of a failed upload')
  }
}
