import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { m } from '#lib/messages/messages.js'

type Texts = Record<string, unknown>
const folder = `${import.meta.dirname}/../../../messages`
const areas = readdirSync(`${folder}/en`)
const read = (locale: string, area: string) =>
  JSON.parse(readFileSync(`${folder}/${locale}/${area}`, 'utf8')) as Texts
const blanks = (text: unknown) =>
  [...new Set([...JSON.stringify(text).matchAll(/\{(\w+)\}/g)].map(([, name]) => name))].sort()

test.each(areas)('%s has every text in Spanish, with the same placeholders', (area) => {
  const [english, spanish] = [read('en', area), read('es', area)]
  expect(Object.keys(spanish).sort()).toEqual(Object.keys(english).sort())
  for (const [key, text] of Object.entries(english)) {
    expect({ key, blanks: blanks(spanish[key]) }).toEqual({ key, blanks: blanks(text) })
  }
})

test('every text is used', () => {
  const root = `${import.meta.dirname}/../..`
  const code = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.|messages\//.test(path))
    .map((path) => readFileSync(`${root}/${path}`, 'utf8'))
    .join()
  const used = new Set(code.match(/(?<=\bm\.)\w+/g))
  const texts = areas.flatMap((area) => Object.keys(read('en', area)))
  expect(texts.filter((text) => text !== '$schema' && !used.has(text))).toEqual([])
})

/** Names, and words that are the same in both languages. */
const SAME_IN_BOTH = new Set([
  'admin_category_general',
  'archive_search_chat',
  'archive_search_chats',
  'admin_error',
  'admin_field_url',
  'admin_new_rep_start',
  'app_nav_admin',
  'app_nav_chat',
  'chat_title',
  'content_new_rep_start',
  'home_new_rep_start',
  'members_new_rep_start',
  'people_supervisor',
  'invitations_example',
  'notifications_channel_apns',
  'notifications_channel_fcm',
  'search_chats',
  'supervision_chats',
  'supervision_file_name',
  'supervision_decided',
])

test.each(areas)('no text of %s is left in English', (area) => {
  const [english, spanish] = [read('en', area), read('es', area)]
  // Without its placeholders a text such as "{hours} h" or "{name}:" has no word to translate.
  const words = (text: unknown) => JSON.stringify(text).replaceAll(/\{\w+\}|\W/g, '')
  const left = Object.keys(english).filter(
    (key) =>
      key !== '$schema' &&
      !SAME_IN_BOTH.has(key) &&
      words(english[key]).length > 4 &&
      words(english[key]) === words(spanish[key]),
  )
  expect(left).toEqual([])
})

test.each(areas)('the Spanish of %s says tú and never usted, in Latin American words', (area) => {
  const elsewhere = /\b(usted|introduzca|ordenador|móvil|añad\w+|introduce)\b/i
  const wrong = Object.entries(read('es', area)).filter(([, text]) =>
    elsewhere.test(JSON.stringify(text)),
  )
  expect(wrong).toEqual([])
})

test.each(areas)('the keys of %s begin with its area, so that no two areas share one', (area) => {
  const prefix = `${area.replace('.json', '')}_`
  expect(
    Object.keys(read('en', area)).filter((key) => !key.startsWith(prefix) && key !== '$schema'),
  ).toEqual([])
})

test('every area is registered', () => {
  const settings = readFileSync(`${folder}/../project.inlang/settings.json`, 'utf8')
  for (const area of areas) expect(settings).toContain(`./messages/{locale}/${area}`)
})

test.each([
  [m.chat_members, '1 member', '1 miembro'],
  [m.ui_chosen_members, '1 selected', '1 seleccionado'],
  [m.calculator_log_count, '1 logged', '1 registrado'],
])('a count of one is never phrased in the plural: %#', (text, english, spanish) => {
  expect(text({ count: '1' }, { locale: 'en' })).toBe(english)
  expect(text({ count: '1' }, { locale: 'es' })).toBe(spanish)
})

test('a plural is used for several members, however the number is formatted', () => {
  expect(m.chat_members({ count: '12' }, { locale: 'en' })).toBe('12 members')
  expect(m.chat_members({ count: '1,200' }, { locale: 'es' })).toBe('1,200 miembros')
})
