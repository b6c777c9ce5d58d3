// @vitest-environment node
import { expect, test } from 'vitest'
import { formatPhone, phoneFrom } from './phone-number.ts'

test.each([
  ['(312) 555-0142', '+13125550142'],
  ['312.555.0142', '+13125550142'],
  ['1 312 555 0142', '+13125550142'],
  ['+1 312‑555‑0142', '+13125550142'],
  ['\u202a(312)\u00a0555-0142\u202c', '+13125550142'],
  ['011 52 55 1234 5678', '+525512345678'],
  ['+44 20 7946 0958', '+442079460958'],
])('%s is the number %s', (typed, phone) => {
  expect(phoneFrom(typed)).toBe(phone)
})

test.each([
  '',
  '555-0142',
  '(112) 555-0142',
  '(312) 155-0142',
  '312 555 0142 ext. 3',
  '+1 312 555 01422',
  'call me',
  '+0123456789',
  '+1234567890123456',
])('"%s" is no number', (typed) => {
  expect(phoneFrom(typed)).toBeNull()
})

test('a North American number is shown the way people write it, another as it is dialed', () => {
  expect(formatPhone('+13125550142')).toBe('(312) 555-0142')
  expect(formatPhone('+525512345678')).toBe('+525512345678')
})
