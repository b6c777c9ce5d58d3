import { randomBytes } from 'node:crypto'
import { chmod, mkdir, open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import * as v from 'valibot'

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
  const path = join(dataDir, 'keys.json')
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (text !== null) {
    try {
      return v.parse(keysSchema, JSON.parse(text))
    } catch (cause) {
      throw new Error(`${path} is damaged: restore it from a backup`, { cause })
    }
  }
  const keys = await makeInstallationKeys()
  await mkdir(dataDir, { recursive: true })
  await writeDurably(path, JSON.stringify(keys, null, 2) + '\n')
  return keys
}

// Synced and renamed into place, so that a crash leaves either no file or a complete one.
async function writeDurably(path: string, text: string): Promise<void> {
  const draft = `${path}.draft`
  const file = await open(draft, 'w', 0o600)
  await file.writeFile(text)
  await file.sync()
  await file.close()
  await chmod(draft, 0o600)
  await rename(draft, path)
}
