import { useEffect, useState } from 'react'
import { signUpOutcome } from '#domain/membership.ts'

/** What an account with this address, or with any, becomes (signUpOutcome); undefined until that is known. */
export function useSignUpOutcome(email?: string, isAsked = true): string | undefined {
  const [outcome, setOutcome] = useState<string>()
  useEffect(() => {
    if (!isAsked) return
    let isCurrent = true
    signUpOutcome(email).then(
      (found) => isCurrent && setOutcome(found),
      (error: unknown) => console.warn('Could not ask who may sign up', error),
    )
    return () => {
      isCurrent = false
    }
  }, [email, isAsked])
  return outcome
}
