import { useSyncExternalStore } from 'react'
import { ServerRefusal } from '#lib/server/notify-error.ts'

/** The auth service's code for a session whose owner has shown nothing lately; the database's is PT428. */
export const PROVE_AGAIN = 'reauthentication_needed'

type Question = { answered: Promise<boolean>; answer: (isProven: boolean) => void }

let question: Question | undefined
const listeners = new Set<() => void>()

/**
 * Asks the member to confirm who they are, with the password or a code. Requests that need it at the same time share one question.
 * @returns whether they did, so that what was refused can be sent again
 */
export function askForProof(): Promise<boolean> {
  if (!question) {
    question = newQuestion()
    changed()
  }
  return question.answered
}

function newQuestion(): Question {
  let answer = (_isProven: boolean) => {}
  const answered = new Promise<boolean>((resolve) => (answer = resolve))
  return { answered, answer }
}

export function answerProof(isProven: boolean) {
  question?.answer(isProven)
  question = undefined
  changed()
}

function changed() {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useIsAskedForProof(): boolean {
  return useSyncExternalStore(subscribe, () => question !== undefined)
}

export type AuthResult = { error: { code?: string | undefined; message: string } | null }

/**
 * Calls the auth service, again after a proof if it wants one.
 * @throws ServerRefusal 428 if there was none
 */
export async function withProof<Result extends AuthResult>(
  work: () => Promise<Result>,
): Promise<Result> {
  const result = await work()
  if (result.error?.code !== PROVE_AGAIN) return result
  if (await askForProof()) return work()
  throw new ServerRefusal(result.error.message, 428)
}
