import { setTimeout as sleep } from 'node:timers/promises'

/** Answers or refuses no sooner than `milliseconds`, so that the time does not tell whether an account exists. */
export async function answerEvenly<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
  const even = sleep(milliseconds)
  try {
    return await work()
  } finally {
    await even
  }
}

/** Like `answerEvenly`, for refusals only: a success says more than its time does. */
export async function refuseEvenly<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
  const even = sleep(milliseconds)
  even.catch(() => undefined)
  try {
    return await work()
  } catch (error) {
    await even
    throw error
  }
}
