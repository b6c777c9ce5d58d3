import { expect, test } from 'vitest'
import { anEntry } from './audit-builders.ts'
import { valueText } from './value-texts.ts'

const entry = anEntry({})

test.each([
  ['title', null, 'Empty'],
  ['title', 'Script', 'Script'],
  ['is_urgent', true, 'On'],
  ['sort_order', 1200, '1,200'],
  ['end_time', '19:30:00', '7:30\u00a0PM'],
  ['day_of_week', 'Monday', 'Monday'],
  ['status', 'removed', 'Removed'],
  ['email_domains', ['a.example', 'b.example'], 'a.example, b.example'],
  ['email_domains', [], 'Empty'],
  ['meeting_password', { hidden: true }, 'Not recorded, because it is secret'],
  ['order', { items: ['One', 'Two'], length: 30 }, 'One, Two, and 28 more'],
  [
    'description',
    { text: 'middle', skipped: 40, length: 5000 },
    '…middle… (5,000 characters in all)',
  ],
  ['description', { text: 'start', skipped: 0, length: 400 }, 'start… (400 characters in all)'],
])('%s %j reads %s', (column, value, text) => {
  expect(valueText(entry, column, value)).toBe(text)
})

test('house rules that are empty are the app’s, and a line without a share has the team’s', () => {
  const rules = anEntry({ kind: 'rules' })
  expect(valueText(rules, 'body', '')).toBe('The rules that come with the app')
  expect(valueText(rules, 'contact', '')).toBe('Empty')
  const lexicon = anEntry({ kind: 'supervision' })
  expect(valueText(lexicon, 'percent', null)).toBe('As the team')
  expect(valueText(lexicon, 'percent', 7.5)).toBe('7.5%')
  expect(valueText(lexicon, 'category', 'churning')).toBe('Churning')
  expect(valueText(lexicon, 'language', 'es')).toBe('Español')
})

test('ids are names; an unknown one says so', () => {
  const id = '00000000-0000-4000-8000-000000000001'
  const named = anEntry({ names: { [id]: { first_name: 'Ana', last_name: '', email: null } } })
  expect(valueText(named, 'created_by', id)).toBe('Ana')
  expect(valueText(entry, 'created_by', id)).toBe('Somebody unknown')
})
