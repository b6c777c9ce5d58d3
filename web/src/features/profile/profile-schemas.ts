import * as v from 'valibot'
import { firstNameSchema, lastNameSchema } from '#domain/name-schema.ts'
import { m } from '#lib/messages/messages.js'

const PASSWORD_MINIMUM_LETTERS = 6

const typedPassword = v.pipe(
  v.string(),
  v.nonEmpty(() => m.profile_password_required()),
)

export const nameSchema = v.object({
  firstName: firstNameSchema(() => m.profile_name_required()),
  lastName: lastNameSchema,
})

/** Another address than the one that counts. Case is no difference, as for the account. */
export const newEmailSchema = (current: string) =>
  v.object({
    email: v.pipe(
      v.string(),
      v.trim(),
      v.nonEmpty(() => m.profile_email_required()),
      v.check(
        (email) => email.toLowerCase() !== current.toLowerCase(),
        () => m.profile_email_same(),
      ),
    ),
  })

export const passwordSchema = v.pipe(
  v.object({ current: typedPassword, password: v.string(), confirmation: v.string() }),
  v.forward(
    v.check(
      ({ password, confirmation }) => password === confirmation,
      () => m.profile_passwords_differ(),
    ),
    ['confirmation'],
  ),
  v.forward(
    v.check(
      ({ password }) => password.length >= PASSWORD_MINIMUM_LETTERS,
      () => m.profile_password_too_short(),
    ),
    ['password'],
  ),
)

export const proofSchema = v.object({ password: typedPassword })
export const deletionSchema = v.object({ password: typedPassword, code: v.string() })
