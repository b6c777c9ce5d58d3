import * as v from 'valibot'
import { m } from '#lib/messages/messages.js'

export const PASSWORD_MINIMUM_LETTERS = 6

/* Each rule's message is a function, so that it speaks the language chosen by the time it is broken. */

export const loginSchema = v.object({
  email: v.pipe(
    v.string(),
    v.trim(),
    v.nonEmpty(() => m.auth_enter_both()),
  ),
  password: v.pipe(
    v.string(),
    v.nonEmpty(() => m.auth_enter_both()),
  ),
})

export const resetSchema = v.object({
  email: v.pipe(
    v.string(),
    v.trim(),
    v.nonEmpty(() => m.auth_enter_email()),
  ),
})

export const createAccountSchema = v.pipe(
  v.object({
    firstName: v.pipe(v.string(), v.trim()),
    lastName: v.pipe(v.string(), v.trim()),
    email: v.pipe(v.string(), v.trim()),
    password: v.string(),
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
