import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

type Texts = Record<string, unknown>
const folder = `${import.meta.dirname}/../../messages`
const areas = readdirSync(`${folder}/en`)
const read = (locale: string, area: string) =>
  JSON.parse(readFileSync(`${folder}/${locale}/${area}`, 'utf8')) as Texts
const blanks = (text: unknown) =>
  [...new Set([...JSON.stringify(text).matchAll(/\{(\w+)\}/g)].map(([, name]) => name))].sort()

test.each(areas)('%s has every text in Spanish, with the same blanks', (area) => {
  const [english, spanish] = [read('en', area), read('es', area)]
  expect(Object.keys(spanish).sort()).toEqual(Object.keys(english).sort())
  for (const [key, text] of Object.entries(english)) {
    expect({ key, blanks: blanks(spanish[key]) }).toEqual({ key, blanks: blanks(text) })
  }
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
