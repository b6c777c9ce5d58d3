import { readdirSync, readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { m } from '#lib/messages/messages.js'
import { setLocale } from '#lib/messages/runtime.js'
import { ServerRefusal } from '#lib/server/notify-error.ts'
import { plainWords } from './plain-words.ts'
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

/** Of tables or columns that only the server writes. */
const WRITTEN_BY_THE_SERVER = [
  'A decision has a time',
  'A result must be an object of at most 2 kB',
  'Action must be known',
  'An entry is about one thing',
  'An outcome has a time',
  'Audience must be known',
  'Event must be known',
  'Facts must be an object of at most 8 kB',
  'Kind must be known',
  'Kind must be message, notice, newcomer or test',
  'Part must be archive, backup or certificate',
  'Part must be mail, links or backup',
  'Problems are counted from 0',
  'Source must be lexicon, sample or report',
  'State must be known',
  'State must be running, verified or failed',
  'There is one row of house rules',
  'There is one row of team settings',
]

const checks = [
  ...new Set(
    readdirSync(schemas).flatMap((file) =>
      [
        ...readFileSync(`${schemas}/${file}`, 'utf8').matchAll(
          /constraint "([^"]+)"\s+check|add constraint "([^"]+)"/g,
        ),
      ].map(([, one, other]) => one ?? other ?? ''),
    ),
  ),
].filter((name) => !WRITTEN_BY_THE_SERVER.includes(name))

test('the check constraints were read', () => expect(checks.length).toBeGreaterThan(75))

test.each(checks)('a broken check constraint is a sentence in both languages: %s', (name) => {
  const error = {
    code: '23514',
    message: `new row for relation "chats" violates check constraint "${name}"`,
  }
  expect(plainWords(error)).toBe(name)
  const words = serverWords(error)
  expect(words).toBeTruthy()
  expect(words).not.toBe(name)
  expect(GENERIC.map((text) => text())).not.toContain(words)
})

test.each([
  ['23502', 'null value in column "reason" violates not-null constraint', m.server_value_invalid],
  ['22003', 'numeric field overflow', m.server_value_invalid],
  ['22P02', 'invalid input syntax for type uuid: "x"', m.server_value_invalid],
  ['23505', 'duplicate key value violates unique constraint "chats_pkey"', m.server_already_there],
  ['23503', 'insert or update on table "goals" violates foreign key constraint', m.server_gone],
  ['42501', 'new row violates row-level security policy', m.server_not_allowed],
])('in English too Postgres’ own %s is said in plain words', (code, message, text) => {
  void setLocale('en', { reload: false })
  expect(plainWords({ code, message })).toBe(text())
})

test('in English too a suspended member reads whom to ask', () => {
  void setLocale('en', { reload: false })
  const refusal = { code: 'user_banned', message: 'User is banned', status: 400 }
  expect(plainWords(refusal)).toBe(m.server_banned())
})

test('English sentences of the product and its services stay as they are', () => {
  for (const message of ['Give a reason', 'Invalid login credentials', 'Auth session missing!'])
    expect(plainWords({ code: '22023', message, status: 400 })).toBeUndefined()
  expect(plainWords(new Error('the network failed'))).toBeUndefined()
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
