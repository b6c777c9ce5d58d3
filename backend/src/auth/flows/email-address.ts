import { authErrors } from '#auth/errors.ts'

export const MAX_ADDRESS_LENGTH = 255
// A bare address, without white space or control characters, which could inject mail headers.
const ADDRESS =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/

/** The normalized address, as stored and looked up. @throws validation_failed */
export function parseEmailAddress(given: string): string {
  if (given === '') throw authErrors.validationFailed('An email address is required')
  if (given.length > MAX_ADDRESS_LENGTH) {
    throw authErrors.validationFailed('An email address is too long')
  }
  const address = given.toLowerCase()
  if (!ADDRESS.test(address)) {
    throw authErrors.validationFailed('Unable to validate email address: invalid format')
  }
  return address
}
