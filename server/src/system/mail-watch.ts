import { mailProblem, type MailProblem } from './mail-problem.ts'

const HOUR_MS = 60 * 60_000
/** A mail server that comes back is noticed soon; one that refuses a login again and again may lock its account. */
const AGAIN_MS = 5 * 60_000

export type MailWatch = {
  /** What kept the latest try from working; null if it worked, or none has ended yet. */
  problem(): MailProblem | null
  /** Tries when it is time to, so that a wrong SMTP_URL shows before the first mail. @returns whether the outcome has changed */
  look(): Promise<boolean>
}

/** @param complaint connects to the mail server */
export function watchMail(
  complaint: () => Promise<string | null>,
  now: () => number = () => performance.now(),
): MailWatch {
  let found: MailProblem | null = null
  let nextAt = -Infinity

  return {
    problem: () => found,
    async look() {
      if (now() < nextAt) return false
      // It may take half a minute; until then nobody else tries.
      nextAt = Infinity
      const said = await complaint()
      const before = found
      found = said === null ? null : mailProblem(said)
      nextAt = now() + (found && found !== 'login' ? AGAIN_MS : HOUR_MS)
      return found !== before
    },
  }
}
