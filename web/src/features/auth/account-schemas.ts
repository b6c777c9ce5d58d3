import * as v from 'valibot'
import { firstNameSchema, lastNameSchema } from '#domain/name-schema.ts'
import { m } from '#lib/messages/messages.js'

export const PASSWORD_MINIMUM_LETTERS = 6

/* Messages are functions, so that they use the language at the time of validation. */

/** The server would take `name@host`; no member has such an address. */
const COMPLETE_EMAIL = /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/

const emailAddress = v.pipe(
  v.string(),
  v.trim(),
  v.nonEmpty(() => m.auth_enter_email()),
  v.regex(COMPLETE_EMAIL, () => m.auth_email_incomplete()),
)

export const loginSchema = v.pipe(
  v.object({ email: v.pipe(v.string(), v.trim()), password: v.string() }),
  v.forward(
    v.check(
      ({ email, password }) => email !== '' && password !== '',
      () => m.auth_enter_both(),
    ),
    ['password'],
  ),
)

export const emailOnlySchema = v.object({ email: emailAddress })

export const createAccountSchema = v.pipe(
  v.object({
    firstName: firstNameSchema(() => m.auth_enter_first_name()),
    lastName: lastNameSchema,
    email: emailAddress,
    password: v.pipe(
      v.string(),
      v.nonEmpty(() => m.auth_enter_password()),
    ),
    confirmation: v.string(),
  }),
  v.forward(
    v.check(
      ({ password, confirmation }) => password === confirmation,
      () => m.auth_passwords_differ(),
    ),
    ['confirmation'],
  ),
)

export type NewAccountValues = v.InferInput<typeof createAccountSchema>

export const newPasswordSchema = v.pipe(
  v.object({ password: v.string(), confirmation: v.string() }),
  v.forward(
    v.check(
      ({ password, confirmation }) => password === confirmation,
      () => m.auth_passwords_differ(),
    ),
    ['confirmation'],
  ),
  v.forward(
    v.check(
      ({ password }) => password.length >= PASSWORD_MINIMUM_LETTERS,
      () => m.auth_password_too_short(),
    ),
    ['password'],
  ),
)

export const setUpSchema = v.object({
  code: v.pipe(
    v.string(),
    v.trim(),
    v.nonEmpty(() => m.auth_set_up_empty()),
  ),
})
