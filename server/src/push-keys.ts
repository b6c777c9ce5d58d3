import { join } from 'node:path'
import * as v from 'valibot'
import { readOrCreateKeys } from 'backend/http/read-or-create.ts'
import { makeVapidKeys } from 'supabase-project/functions/push/web-push.ts'

const schema = v.object({ publicKey: v.string(), privateKey: v.string() })
export type PushKeys = v.InferOutput<typeof schema>

/**
 * The installation's VAPID keys, generated at the first start. Losing them ends every subscription, so they are stored
 * next to keys.json with the same permissions.
 * @throws when the file exists but is damaged
 */
export const loadPushKeys = (dataDir: string): Promise<PushKeys> =>
  readOrCreateKeys(join(dataDir, 'push-keys.json'), schema, makeVapidKeys)
