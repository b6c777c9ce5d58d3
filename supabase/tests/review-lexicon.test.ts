// What the lexicon catches: the shipped one, and what supervisors make of it.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { said } from './review-scene.ts'
import { aTeam, call, type Person, type Team } from './team.ts'

let team: Team
let sue: Person
beforeAll(async () => {
  team = await aTeam()
  sue = await team.aMember({ firstName: 'Sue', canSupervise: true })
})
afterAll(() => team?.close())

const caughtBy = async (words: string) =>
  ((await call<{ phrase: string }[]>(sue, 'test_lexicon', { words })).data ?? []).map(
    (e) => e.phrase,
  )
const save = (entry: object, id: string = randomUUID()) =>
  call(sue, 'save_lexicon_entry', { entry_id: id, language: 'en', category: 'other', ...entry })

describe('the lexicon that ships', () => {
  test.each([
    'Guaranteed 12 % returns!',
    'Returns are GUARANTEED with this one',
    'ｇｕａｒａｎｔｅｅｄ returns',
    'guar\u200banteed returns',
    'guar\u2060ante\u00aded ret\u{e0020}urns',
    'guaranteed\u3164returns',
    'g\u0336u\u0336a\u0336r\u0336a\u0336nteed returns',
    'There is no risk at all',
    'It’s risk-free.',
    'You can’t lose with an IUL',
    'Cancel your policy and come to us',
    'Let’s move to WhatsApp',
    'Text me at 555 0100',
    'I can share my commission with you',
    'It works like a bank account',
    'Just sign it for the client',
    'Backdate the form',
    'Te garantizo un rendimiento del 12 %',
    'Es una inversión sin riesgo',
    'Cancela tu póliza hoy',
    'Escríbeme al 555 0100',
    'Te devuelvo la primera prima',
    'Firma por el cliente',
  ])('catches “%s”', async (words) => {
    expect(await caughtBy(words)).not.toEqual([])
  })

  test.each([
    'We cannot guarantee returns',
    'Returns are not guaranteed',
    'Nothing is risk free',
    'See you at the meeting at 7',
    'Do not use WhatsApp for clients',
    'Never backdate a form',
    'I forgot the signature page of the client',
    'No se garantiza ningún rendimiento',
    'Nos vemos en la reunión',
  ])('leaves “%s” alone', async (words) => {
    expect(await caughtBy(words)).toEqual([])
  })

  test('an exception does not excuse the rest of the text', async () => {
    expect(await caughtBy('No guarantee, they say, but I guarantee returns')).not.toEqual([])
  })

  test.each([
    'Is there any risk? No. Guaranteed returns of 12 % for all of you.',
    'There is no risk. Free consultation today!',
    'Worried? Do not. Cancel your policy today and sign here.',
    'Should you wait? No! Guaranteed profits await.',
    'Should you wait? No, guaranteed profits await.',
    'No… guaranteed profits await.',
    'No (guaranteed profits)',
    'No — guaranteed profits await.',
    'No - guaranteed profits await.',
    'No\nguaranteed profits await.',
    'You can’t lose. Weight your portfolio to our fund!',
    '¿Hay riesgo? No. ¡Garantizamos rendimientos!',
  ])('has no exception that goes from one clause into the next: “%s”', async (words) => {
    expect(await caughtBy(words)).not.toEqual([])
  })
})

test('phrases are whole words; a star stands for the rest of a word; near counts words both ways', async () => {
  await save({ phrase: 'zebra stripe' })
  await save({ phrase: 'okap*' })
  await save({ phrase: 'tapir', near: 'night', within: 2 })
  expect(await caughtBy('A zebra-stripe!')).toEqual(['zebra stripe'])
  expect(await caughtBy('zebra stripes')).toEqual([])
  expect(await caughtBy('two okapis')).toEqual(['okap*'])
  expect(await caughtBy('the tapir of the night')).toEqual(['tapir'])
  expect(await caughtBy('night after tapir')).toEqual(['tapir'])
  expect(await caughtBy('tapir one two three night')).toEqual([])
})

test('a point in a number and a hyphen in a word end no clause, and no phrase ends with one', async () => {
  await save({ phrase: 'quagga', exceptions: ['quagga 12 5', 'anti-quagga'] })
  expect(await caughtBy('a quagga 12.5')).toEqual([])
  expect(await caughtBy('anti-quagga | anti quagga')).toEqual([])
  expect(await caughtBy('quagga 12. 5')).toEqual(['quagga'])
  await save({ phrase: 'aye aye' })
  expect(await caughtBy('Aye. (Aye!)')).toEqual(['aye aye'])
})

test('what an entry caught leaves out what its reader wrote', async () => {
  const sam = await team.aMember({ canSupervise: true })
  const id = randomUUID()
  await save({ phrase: 'solenodon' }, id)
  const [item] = await said(team, sam, 'One solenodon')
  const { error } = await call(sue, 'decide_review_item', {
    item_id: item?.id,
    outcome: 'violation',
    note: '',
    if_version: item?.version,
  })
  expect(error).toBeNull()
  const caught = async (by: Person) => {
    const { data } = await call<{ id: string; caught: number; violations: number }[]>(by, 'lexicon')
    const entry = data?.find((each) => each.id === id)
    return [entry?.caught, entry?.violations]
  }
  expect(await caught(sue)).toEqual([1, 1])
  expect(await caught(sam)).toEqual([0, 0])
})

test('what is typed is never an expression', async () => {
  await save({ phrase: '(gnu|.*){9} +' })
  expect(await caughtBy('anything at all')).toEqual([])
  expect(await caughtBy('gnu 9')).toEqual(['(gnu|.*){9} +'])
  const slow = 'a '.repeat(2000)
  await save({ phrase: 'a* a* a* a* b', near: 'a* a* c', within: 20 })
  const began = performance.now()
  expect(await caughtBy(slow)).toEqual([])
  expect(performance.now() - began).toBeLessThan(1000)
})

test('an entry can be changed and paused, saved twice it is one, and each change is a record', async () => {
  const id = randomUUID()
  await save({ phrase: 'quokka' }, id)
  await save({ phrase: 'quokka' }, id)
  await save({ phrase: 'numbat', is_active: true }, id)
  expect(await caughtBy('quokka numbat')).toEqual(['numbat'])
  await save({ phrase: 'numbat', is_active: false }, id)
  expect(await caughtBy('quokka numbat')).toEqual([])
  const records = await team.sql(
    `select actor_name, content -> 'after' ->> 'phrase' as phrase from archive.records
     where kind = 'review.lexicon' and subject_id = $1 order by seq`,
    [id],
  )
  expect(records).toEqual(
    ['quokka', 'numbat', 'numbat'].map((phrase) => ({ actor_name: 'Sue Doe', phrase })),
  )
})

test('the lexicon has no phrase twice, however it is typed', async () => {
  const [id, other] = [randomUUID(), randomUUID()]
  const isThere = { code: '23505', message: 'The lexicon has this phrase already' }
  await save({ phrase: 'pangolin scales' }, id)
  expect((await save({ phrase: '  Pangolin-SCALES', language: 'es' })).error).toMatchObject(isThere)
  expect((await save({ phrase: 'pangolin scales', near: 'sold' }, other)).error).toBeNull()
  expect((await save({ phrase: 'pangolin scales' }, other)).error).toMatchObject(isThere)
  expect((await save({ phrase: 'pangolin scales', is_active: false }, id)).error).toBeNull()
})

test('what the lexicon has twice since earlier can still be paused', async () => {
  const ids = [randomUUID(), randomUUID()]
  await team.sql(
    `insert into private.lexicon_entries (id, language, category, phrase)
     select unnest($1::uuid[]), 'en', 'other', 'axolotl'`,
    [ids],
  )
  expect((await save({ phrase: 'axolotl', is_active: false }, ids[1])).error).toBeNull()
})

test('an entry needs letters, a length and a known category', async () => {
  expect((await save({ phrase: '!!' })).error?.message).toContain(
    'Phrase needs a word of two letters or digits',
  )
  for (const length of [101, 10_000])
    expect((await save({ phrase: 'x'.repeat(length) })).error).toMatchObject({
      code: '23514',
      message: 'Phrase is at most 100 characters',
    })
  expect((await save({ phrase: 'fine', category: 'nonsense' })).error?.code).toBe('23514')
  expect((await save({ phrase: 'fine', near: 'words', within: 21 })).error?.code).toBe('23514')
})

test('exceptions are at most 20, of 100 characters each and 1000 in all', async () => {
  const saving = async (count: number, length: number) => {
    const exceptions = Array.from({ length: count }, () => 'x'.repeat(length))
    return (await save({ phrase: `fine ${count} ${length}`, exceptions })).error?.message
  }
  expect(await saving(20, 50)).toBeUndefined()
  expect(await saving(10, 100)).toBeUndefined()
  const each = 'At most 20 exceptions of 100 characters each'
  expect(await saving(21, 1)).toBe(each)
  expect(await saving(1, 101)).toBe(each)
  expect(await saving(20, 51)).toBe('Exceptions are at most 1000 characters in all')
})
