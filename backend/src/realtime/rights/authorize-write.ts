import type { Channel, Extension } from '#realtime/channels/channel.ts'
import type { Service } from '#realtime/context.ts'

/** Whether the policies let the channel send. Checked on the first send, then cached until the next recheck. */
export async function authorizeWrite(
  { checks, authorize, log }: Service,
  channel: Channel,
  extension: Extension,
): Promise<boolean> {
  if (!channel.isPrivate) return true
  const rights = channel.rights[extension]
  if (rights.write !== undefined) return rights.write
  try {
    const allowed = await checks.run(channel, () =>
      authorize(channel.caller, channel.name, 'write', [extension]),
    )
    rights.write = allowed.has(extension)
    return rights.write
  } catch (error) {
    // Not cached: the next attempt checks again.
    log.warn({ err: error, topic: channel.name }, 'could not authorize a send')
    return false
  }
}
