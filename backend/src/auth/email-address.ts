import { authErrors } from './errors.ts'

export const LONGEST_ADDRESS = 255
// One address and nothing else: no white space or control characters, which could smuggle headers into a mail.
const ADDRESS =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/

/** The address in the one form it is stored and looked up in. @throws validation_failed */
export function parseEmailAddress(given: string): string {
  if (given === '') throw authErrors.validationFailed('An email address is required')
  if (given.length > LONGEST_ADDRESS) {
    throw authErrors.validationFailed('An email address is too long')
  }
  const address = given.toLowerCase()
  if (!ADDRESS.test(address)) {
    throw authErrors.validationFailed('Unable to validate email address: invalid format')
  }
  return address
}
