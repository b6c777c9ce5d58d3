import { readdirSync, readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { m } from '#lib/messages/messages.js'
import { setLocale } from '#lib/messages/runtime.js'
import { ServerRefusal } from '#lib/supabase/server-refusal.ts'
import { serverWords } from './server-words.ts'

beforeEach(() => void setLocale('es', { reload: false }))
afterEach(() => void setLocale('en', { reload: false }))

const repository = `${import.meta.dirname}/../../../..`
const schemas = `${repository}/supabase/schemas`

/** The message as a member reads it: `%` replaced by a number, doubled quotes by one. */
const raised = readdirSync(schemas)
  .flatMap((file) => [
    ...readFileSync(`${schemas}/${file}`, 'utf8').matchAll(
      /raise exception '((?:[^']|'')+)'[^;]*?errcode = '(\w+)'/g,
    ),
  ])
  .map(([, message = '', code = '']) => ({
    message: message.replaceAll("''", "'").replaceAll('%', '20'),
    code,
  }))

/** Says too little, except about missing rights. */
const GENERIC = [m.server_refused, m.server_value_invalid, m.server_gone, m.server_too_many]

test('the schemas were read', () => expect(raised.length).toBeGreaterThan(40))

test.each(raised)('what the database raises has a Spanish sentence: $message', (error) => {
  const words = serverWords(error)
  expect(words).toBeTruthy()
  expect(words).not.toBe(error.message)
  expect(GENERIC.map((text) => text())).not.toContain(words)
})

test.each([
  ['Unable to validate email address: invalid format', 'La dirección de correo no es válida'],
  ['Signup requires a valid password', 'Para crear la cuenta se necesita una contraseña'],
  [
    'Password cannot be longer than 72 characters',
    'La contraseña no puede tener más de 72 caracteres',
  ],
  ['Password should be at least 6 characters.', 'La contraseña debe tener al menos 6 caracteres'],
  ['Please verify your email first.', 'Confirma primero tu correo'],
  ['Auth session missing!', 'Tu sesión terminó. Inicia sesión de nuevo'],
  [
    'For security purposes, you can only request this after 42 seconds.',
    'Por seguridad, espera 42 segundos antes de pedirlo de nuevo',
  ],
])("the auth service's %j has a Spanish sentence", (message, words) => {
  expect(serverWords({ code: 'validation_failed', message, status: 400 })).toBe(words)
})

test('a known sentence takes precedence over its error code', () => {
  const last = { code: '42501', message: 'The last admin cannot be removed' }
  expect(serverWords(last)).toBe('No se puede quitar al último administrador')
  const policy = { code: '42501', message: 'new row violates row-level security policy' }
  expect(serverWords(policy)).toBe('No tienes permiso para hacerlo')
  const weak = { code: 'weak_password', message: 'Password should contain at least one of each' }
  expect(serverWords(weak)).toBe('Esa contraseña es demasiado fácil de adivinar')
})

test('a refused file and a refused function have Spanish sentences', () => {
  const words = (message: string) => serverWords(new ServerRefusal(message, 400))
  expect(words('The object exceeded the maximum allowed size')).toBe(
    'El archivo es demasiado grande',
  )
  expect(words('mime type image/tiff is not supported')).toBe('No se acepta este tipo de archivo')
  expect(words('Sign in to invite people')).toBe('Inicia sesión para invitar')
})

test('an unknown error has a Spanish sentence too, never English', () => {
  const broken = { code: 'XX000', message: 'cache lookup failed for type 16' }
  expect(serverWords(broken)).toBe('El servidor no lo aceptó')
})

test("the app's own messages stay unchanged", () => {
  expect(serverWords(new Error('Solo se pueden subir imágenes'))).toBeUndefined()
})
