import { setImmediate as turn } from 'node:timers/promises'

/**
 * Why something ended: because a person stopped it, whatever failed in consequence, or else for its own reason. Ctrl-C also reaches
 * the programs that were started, which then fail before this process knows of it.
 */
export async function reasonOf(error: unknown, signal: AbortSignal | undefined): Promise<unknown> {
  await turn()
  return signal?.aborted ? (signal.reason as unknown) : error
}
