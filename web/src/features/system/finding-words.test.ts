// The database judges, and the app has the words: for every code one sentence, and for what needs somebody something to do.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { setLocale, type Locale } from '#lib/messages/runtime.js'
import { wordsOf } from './finding-words.ts'
import type { Finding } from './system-queries.ts'

const SCHEMAS = join(import.meta.dirname, '../../../../supabase/schemas')
const sources = ['system_findings.sql', 'system_status.sql'].map((file) =>
  readFileSync(join(SCHEMAS, file), 'utf8'),
)

const speak = (locale: Locale) => void setLocale(locale, { reload: false })
afterEach(() => speak('en'))

/** Each part with the codes that its function can give. */
function codes(): { part: string; code: string }[] {
  const functions = sources.join('').split(/^create function /m)
  return functions.flatMap((text) => {
    const part = /select (?:distinct on \([^)]*\) )?'(\w+)'/.exec(text)?.[1] ?? ''
    const judged = [...text.matchAll(/array\[(?:case .*? end|[^,\]]+), '(\w+)'\]/g)]
    return judged.map(([, code = '']) => ({ part: part.replace(/^(push|disk)_$/, '$1_web'), code }))
  })
}

const finding = (some: Partial<Finding>): Finding => ({
  ...{ part: 'mail', scope: null, state: 'wrong', code: 'late', detail: {} },
  ...some,
})

test.each(['en', 'es'] as const)(
  'every code that the database gives has a sentence in %s',
  (locale) => {
    speak(locale)
    const all = codes()
    expect(all.length).toBeGreaterThan(30)
    for (const { part, code } of all) {
      const { name, sentence } = wordsOf(finding({ part, code }))
      expect(sentence, `${part} ${code}`).not.toBe(code)
      expect(sentence, `${part} ${code}`).not.toMatch(/undefined|NaN|Invalid/)
      expect(name).not.toBe(part)
    }
  },
)

test('what is wrong or needs attention says what to do, what is fine does not', () => {
  const off = finding({
    ...{ part: 'push_fcm', code: 'off', detail: { settings: ['PUSH_FCM_SERVICE_ACCOUNT'] } },
  })
  expect(wordsOf(off).advice).toContain('PUSH_FCM_SERVICE_ACCOUNT')
  expect(wordsOf(finding({ part: 'backup', code: 'own', state: 'fine' })).advice).toBeNull()
  const full = finding({
    ...{ part: 'disk_data', scope: 'one', code: 'full' },
    detail: { used_percent: 93, free_bytes: 7.4 * 1024 ** 3 },
  })
  expect(wordsOf(full)).toEqual({
    name: 'Disk on one',
    sentence: '93% full, 7.4 GB free.',
    advice: expect.stringContaining('DATA_DIR') as string,
  })
})

test('of several processes each has a number, and the machine where there are several', () => {
  speak('en')
  const nameOf = (scope: string | null, detail: object) =>
    wordsOf(finding({ part: 'process', code: 'runs', scope, detail: { ...detail } })).name
  expect(nameOf(null, { pid: 4711 })).toBe('Server')
  expect(nameOf(null, { pid: 4711, number: 2 })).toBe('Server 2')
  expect(nameOf('one', { pid: 4711, number: 2 })).toBe('Server 2 on one')
  expect(wordsOf(finding({ part: 'certificate', scope: 'rally.example' })).name).toBe(
    'Certificate: rally.example',
  )
})

test('what only a newer server knows shows its code', () => {
  expect(wordsOf(finding({ part: 'tides', code: 'high' }))).toEqual({
    ...{ name: 'tides', sentence: 'high', advice: null },
  })
})

test('a sentence that ends with a time of day ends with one full stop', () => {
  speak('es')
  const old = finding({ part: 'backup', code: 'old', detail: { at: '2026-03-01T20:10:00Z' } })
  expect(wordsOf(old).sentence).toMatch(/[^.]\.$/)
})
