// Builders for the tests of second factors: members with an authenticator app.
import type { TestBackend } from '../testing/start-test-backend.ts'
import { totpCode } from '../testing/totp-codes.ts'
import { aMember, sessionOf, type Person } from './auth-people.ts'

type Client = Person['client']
export const STEP_MS = 30_000

/** A member who has begun to set up an authenticator app. */
export async function enrolled(client: Client, friendlyName = 'Phone') {
  const { data, error } = await client.auth.mfa.enroll({
    factorType: 'totp',
    friendlyName,
    issuer: 'Our Team',
  })
  if (error) throw error
  return { factorId: data.id, secret: data.totp.secret, totp: data.totp }
}

export type Protected = Person & { factorId: string; secret: string }

/** A member with a verified second factor, on one device. The step of the next code is unused. */
export async function aProtectedMember(backend: TestBackend): Promise<Protected> {
  const person = await aMember(backend)
  const factor = await enrolled(person.client)
  const verified = await answer(backend, person.client, factor)
  if (verified.error) throw verified.error
  backend.clock.advance(STEP_MS)
  return { ...person, ...factor }
}

/** Types the code that the authenticator app shows. */
export function answer(
  backend: TestBackend,
  client: Client,
  { factorId, secret }: { factorId: string; secret: string },
  driftMs = 0,
) {
  const code = totpCode(secret, backend.clock.now() + driftMs)
  return client.auth.mfa.challengeAndVerify({ factorId, code })
}

/** A code that is not valid around now. */
export function aWrongCode(backend: TestBackend, secret: string): string {
  const now = backend.clock.now()
  const valid = [-2, -1, 0, 1, 2].map((step) => totpCode(secret, now + step * STEP_MS))
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find(
    (code) => !valid.includes(code),
  )!
}

/** What an access token says of how its owner signed in. */
export async function assurance(client: Client) {
  const { access_token } = await sessionOf(client)
  const claims = JSON.parse(
    Buffer.from(access_token.split('.')[1] ?? '', 'base64url').toString(),
  ) as { aal: string; amr: { method: string; timestamp: number }[]; session_id: string }
  return { ...claims, methods: claims.amr.map(({ method }) => method) }
}
