import type { Channel, Extension } from './channel.ts'
import type { Service } from './service.ts'

/** Whether the policies let the channel send; tried when it first does, then remembered until rights are checked again. */
export async function mayWrite(
  { tryRights, log }: Service,
  channel: Channel,
  extension: Extension,
): Promise<boolean> {
  if (!channel.isPrivate) return true
  const rights = channel.rights[extension]
  if (rights.write !== undefined) return rights.write
  try {
    const allowed = await tryRights(channel.caller, channel.name, 'write', [extension])
    rights.write = allowed.has(extension)
    return rights.write
  } catch (error) {
    // Not remembered: the next attempt asks again.
    log.warn({ err: error, topic: channel.name }, 'the right to send could not be tried')
    return false
  }
}
