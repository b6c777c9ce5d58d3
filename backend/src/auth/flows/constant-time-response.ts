import { setTimeout as sleep } from 'node:timers/promises'

/** Resolves or rejects after at least `milliseconds`, so that timing does not reveal whether an account exists. */
export async function constantTimeResponse<T>(
  milliseconds: number,
  work: () => Promise<T>,
): Promise<T> {
  const even = sleep(milliseconds)
  try {
    return await work()
  } finally {
    await even
  }
}

/** Like `constantTimeResponse`, but only delays errors: a success reveals the account anyway. */
export async function constantTimeError<T>(
  milliseconds: number,
  work: () => Promise<T>,
): Promise<T> {
  const even = sleep(milliseconds)
  even.catch(() => undefined)
  try {
    return await work()
  } catch (error) {
    await even
    throw error
  }
}
