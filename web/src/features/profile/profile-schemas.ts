import * as v from 'valibot'
import { m } from '#lib/messages/messages.js'

const PASSWORD_MINIMUM_LETTERS = 6

const typedPassword = v.pipe(
  v.string(),
  v.nonEmpty(() => m.profile_password_required()),
)

export const nameSchema = v.object({
  firstName: v.pipe(
    v.string(),
    v.trim(),
    v.nonEmpty(() => m.profile_name_required()),
  ),
  lastName: v.pipe(v.string(), v.trim()),
})

export const emailSchema = v.object({
  email: v.pipe(
    v.string(),
    v.trim(),
    v.nonEmpty(() => m.profile_email_required()),
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

export const deletionSchema = v.object({ password: typedPassword, code: v.string() })
