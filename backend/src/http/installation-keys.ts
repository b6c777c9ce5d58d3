import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import * as v from 'valibot'
import { readOrCreateKeys } from './read-or-create.ts'

const keysSchema = v.object({
  /** Sent by browsers; on its own it authenticates as anon. */
  publishableKey: v.pipe(v.string(), v.startsWith('sb_publishable_')),
  /** Sent by trusted servers; authenticates as service_role and must never reach a browser. */
  secretKey: v.pipe(v.string(), v.startsWith('sb_secret_')),
  /** Private ES256 key that signs access tokens. */
  signingKey: v.looseObject({ kty: v.literal('EC'), kid: v.string(), d: v.string() }),
  /** Password of the services' own database logins. */
  databasePassword: v.string(),
})

export type InstallationKeys = Omit<v.InferOutput<typeof keysSchema>, 'signingKey'> & {
  signingKey: JWK & { kid: string }
}

/** Generates the keys of a new installation. */
export async function makeInstallationKeys(): Promise<InstallationKeys> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const secret = () => randomBytes(24).toString('base64url')
  return {
    publishableKey: `sb_publishable_${secret()}`,
    secretKey: `sb_secret_${secret()}`,
    signingKey: {
      ...(await exportJWK(privateKey)),
      kid: randomBytes(8).toString('hex'),
      alg: 'ES256',
      use: 'sig',
    },
    databasePassword: secret(),
  }
}

/**
 * The keys of the installation in `dataDir`: generated at its first start, stored in `keys.json`, readable only by its owner.
 * @throws if `keys.json` is damaged
 */
export async function loadInstallationKeys(dataDir: string): Promise<InstallationKeys> {
  return readOrCreateKeys(join(dataDir, 'keys.json'), keysSchema, async () => {
    await mkdir(dataDir, { recursive: true })
    return makeInstallationKeys()
  })
}
