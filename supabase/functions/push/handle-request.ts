import { hasSecretKey } from '../_shared/secret-key.ts'
import type { ApnsSender } from './apns.ts'
import type { Clock } from './delivery.ts'
import { openChannels, type PushSettings } from './open-channels.ts'
import { createRestStore } from './rest-store.ts'
import { removeUnusedImages } from './remove-unused-images.ts'
import { sendDue } from './send-due.ts'

export type FunctionDependencies = {
  projectUrl: string
  secretKey: string
  settings: PushSettings
  clock: Clock
  apnsSender: ApnsSender
  wait(milliseconds: number): Promise<void>
  fcmAddress?: string
}

/** A little more than private.push_delay(): a message becomes due two seconds after it was sent. */
const DELAY_MS = 2200

/**
 * Sends what is due now, waits and sends what the row that triggered this call makes due, then removes images that no
 * message uses.
 */
export async function handlePushRequest(
  request: Request,
  dependencies: FunctionDependencies,
): Promise<Response> {
  const { projectUrl, secretKey, settings, clock, wait } = dependencies
  if (!(await hasSecretKey(request, secretKey)))
    return Response.json({ message: 'The secret key is needed' }, { status: 401 })
  const store = createRestStore(projectUrl, secretKey)
  const { channels, reports } = openChannels(settings, dependencies)
  await store.report(reports)
  await wait(DELAY_MS)
  const settled = await sendDue({ store, channels, clock })
  const counts: Record<string, number> = {}
  for (const { outcome } of settled) counts[outcome] = (counts[outcome] ?? 0) + 1
  try {
    await removeUnusedImages({ projectUrl, secretKey, fetch })
  } catch (error) {
    // The notifications have been sent; the next call retries the cleanup.
    console.error('removing unused images failed', error)
  }
  return Response.json(counts)
}
