import { open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { makeVapidKeys } from 'supabase-project/functions/push/web-push.ts'

const schema = v.object({ publicKey: v.string(), privateKey: v.string() })
export type PushKeys = v.InferOutput<typeof schema>

/**
 * The installation's VAPID keys, generated at the first start. Losing them ends every subscription, so they are stored
 * next to keys.json with the same permissions.
 * @throws when the file exists but is damaged
 */
export async function loadPushKeys(dataDir: string): Promise<PushKeys> {
  const path = join(dataDir, 'push-keys.json')
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (text !== null) {
    try {
      return v.parse(schema, JSON.parse(text))
    } catch (cause) {
      throw new Error(`${path} is damaged: restore it from a backup`, { cause })
    }
  }
  const keys = await makeVapidKeys()
  const draft = `${path}.draft`
  const file = await open(draft, 'w', 0o600)
  await file.writeFile(JSON.stringify(keys, null, 2) + '\n')
  await file.sync()
  await file.close()
  await rename(draft, path)
  return keys
}
