import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isAddress } from './find-addresses.ts'
import type { Invitee } from './people.ts'
import { readPeople } from './read-people.ts'

const FIRST_NAMES =
  'Maya,Noah,Zoë,José,María José,Mary-Ann,Xóchitl,D’Arcy,Jean-Luc,Ana,Li,Jo,AJ,Søren,Nguyễn,Ángel'.split(
    ',',
  )
const LAST_NAMES =
  'Ortiz,Reed,de la Cruz,O’Brien,McDonald,Peña López,Smith-Jones,van Dyke,Wu,Núñez,Müller,St. John,Fox III,Vance Jr.,Abreu,Hall'.split(
    ',',
  )
const LOCAL_PARTS = [
  (at: number) => `rep${at}`,
  (at: number) => `x.y+tag${at}`,
  (at: number) => `o'neil_${at}`,
  (at: number, name: string) => `${name}.${at}`,
]
const letters = (text: string) =>
  text
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z]/g, '')

const people = fc
  .uniqueArray(fc.nat(15), { minLength: 1, maxLength: 12 })
  .chain((firsts) =>
    fc.tuple(
      fc.constant(firsts),
      fc.shuffledSubarray(LAST_NAMES, { minLength: firsts.length, maxLength: firsts.length }),
      fc.array(fc.constantFrom(...LOCAL_PARTS), { minLength: 12, maxLength: 12 }),
    ),
  )
  .map(([firsts, lasts, locals]) =>
    firsts.map((first, at): Invitee => {
      const [firstName = '', lastName = ''] = [FIRST_NAMES[first], lasts[at]]
      const local = locals[at]?.(at, letters(firstName)) ?? ''
      return { firstName, lastName, email: `${local}@mail${at}.example.com` }
    }),
  )

const NOISE = ['phone', 'date', 'number', 'empty', 'note'] as const
const noise: Record<(typeof NOISE)[number], (at: number) => string> = {
  phone: (at) => `(214) 555-01${10 + at}`,
  date: (at) => `11/${at + 1}/2026`,
  number: (at) => `$${at},000`,
  empty: () => '',
  note: (at) => `Said "yes";\ncall back, at ${at}:30 PM`,
}
const TITLES: Record<string, string[]> = {
  firstName: ['First Name', 'first', 'Nombre', 'NOMBRES', 'Given name'],
  lastName: ['Last Name', 'Surname', 'Apellidos', 'Apellido', 'LAST NAME'],
  email: ['Email', 'E-mail address', 'Correo electrónico', 'CORREO', 'Email 1'],
  phone: ['Phone', 'Teléfono'],
  date: ['Date', 'Fecha'],
  number: ['Premium', 'Prima'],
  empty: ['Appointment', 'Cita'],
  note: ['Notes', 'Notas'],
}

const layout = fc.record({
  separator: fc.constantFrom('\t', ',', ';'),
  columns: fc.subarray([...NOISE]).chain((extra) =>
    fc.shuffledSubarray(['firstName', 'lastName', 'email', ...extra], {
      minLength: 3 + extra.length,
    }),
  ),
  language: fc.nat(4),
  lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
  hasMark: fc.boolean(),
  space: fc.constantFrom(' ', '\u00a0', '\u202f'),
  quotesAll: fc.boolean(),
  isLoud: fc.boolean(),
})
type Layout = typeof layout extends fc.Arbitrary<infer Value> ? Value : never

function written(
  rows: string[][],
  { separator, lineEnd, hasMark, space, quotesAll }: Layout,
): string {
  const cell = (text: string) =>
    quotesAll || /["\t,;\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  const lines = rows.map((cells) => cells.map(cell).join(separator))
  return (
    (hasMark ? '\ufeff' : '') + lines.join('\n').replaceAll('\n', lineEnd).replaceAll(' ', space)
  )
}

const read = (text: string) =>
  readPeople(text).people.map(({ email, firstName, lastName }) => ({ email, firstName, lastName }))

test('a table with titles is read right, whatever its order, separator, language and other columns', () => {
  fc.assert(
    fc.property(people, layout, (team, look) => {
      const titles = look.columns.map(
        (column) => TITLES[column]?.[look.language % (TITLES[column]?.length ?? 1)] ?? '',
      )
      const rows = team.map((person, at) =>
        look.columns.map((column) => {
          const text = person[column as keyof Invitee] ?? noise[column as keyof typeof noise](at)
          return look.isLoud && column === 'email' ? text.toUpperCase() : text
        }),
      )
      expect(read(written([titles, ...rows], look))).toEqual(team)
    }),
  )
})

test('a table without titles is read right where the last name follows a first name of one word', () => {
  fc.assert(
    fc.property(people, layout, (everybody, look) => {
      const team = everybody.filter(({ firstName }) => !firstName.includes(' '))
      const columns = look.columns.filter((column) => column !== 'lastName' && column !== 'note')
      columns.splice(columns.indexOf('firstName') + 1, 0, 'lastName')
      const rows = team.map((person, at) =>
        columns.map(
          (column) => person[column as keyof Invitee] ?? noise[column as keyof typeof noise](at),
        ),
      )
      expect(read(written(rows, look))).toEqual(team)
    }),
  )
})

const MAILBOXES: ((person: Invitee) => string)[] = [
  ({ firstName, lastName, email }) => `${lastName}, ${firstName} <${email}>`,
  ({ firstName, lastName, email }) => `"${lastName}, ${firstName}" <${email}>`,
  ({ firstName, lastName, email }) => `'${lastName}, ${firstName}' <${email.toUpperCase()}>`,
  ({ firstName, lastName, email }) => `${lastName}, ${firstName} (${email})`,
  ({ firstName, lastName, email }) => `${lastName}, ${firstName}: mailto:${email}`,
]

test('mailboxes are read right, whatever separates them', () => {
  const forms = fc.array(fc.constantFrom(...MAILBOXES), { minLength: 12, maxLength: 12 })
  fc.assert(
    fc.property(
      people,
      forms,
      fc.constantFrom('\n', '; ', ';\r\n', ',\n'),
      (team, form, between) => {
        expect(read(team.map((person, at) => form[at]?.(person)).join(between))).toEqual(team)
      },
    ),
  )
})

test('bare addresses are all found, whatever separates them', () => {
  const separators = fc.array(
    fc.constantFrom(',', ';', ', ', '; ', '\n', '\r\n', ' ', '\t', ' | ', ',\u00a0\n\n'),
    {
      minLength: 12,
      maxLength: 12,
    },
  )
  fc.assert(
    fc.property(people, separators, (team, between) => {
      const text = team.map(({ email }, at) => email + (between[at] ?? '')).join('')
      expect(read(text).map(({ email }) => email)).toEqual(team.map(({ email }) => email))
    }),
  )
})

test('of any text, nobody without name and address is listed, and no address with a space in it', () => {
  const pieces = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom(
      '"',
      '<',
      '>',
      '@',
      ',',
      ';',
      '\t',
      '\n',
      '\r\n',
      '\ufeff',
      '\u200b',
      'Email',
      'Nombre',
      'Maya',
    ),
    fc.emailAddress(),
  )
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
      for (const { email, firstName, lastName, others } of readPeople(parts.join('')).people) {
        expect(email || firstName).not.toBe('')
        expect(firstName || !lastName).toBeTruthy()
        for (const each of [email, ...others].filter(isAddress)) expect(each).toMatch(/^\S+@\S+$/)
        expect(`${firstName}${lastName}`).not.toMatch(/[\n\t<>"@]/)
        expect([firstName.trim(), lastName.trim()]).toEqual([firstName, lastName])
      }
    }),
    { numRuns: 2_000 },
  )
})
