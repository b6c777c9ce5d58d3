import { expect, test } from 'vitest'
import { MIN_NAME_SIMILARITY, suggest } from './suggest.ts'

test.each([
  ['film', ['films', 'roles'], 'films'],
  ['user', ['accounts', 'users'], 'users'],
  ['chat_mesages', ['chats', 'chat_messages'], 'chat_messages'],
  ['(vall, pqaram, nam)', ['(name, param, val)', '(id)'], '(name, param, val)'],
  ['(id)', ['(attr, id)'], '(attr, id)'],
  ['xyzzy', ['films', 'roles'], null],
  ['', ['films'], null],
])('for %s and the names %j the suggestion is %s', (misspelled, names, suggestion) => {
  expect(suggest(misspelled, names)).toBe(suggestion)
})

test.each([
  ['film', ['films'], 'films'],
  ['fimls', ['films'], null],
  ['user', ['user_secrets'], null],
  ['Chat_Mesages', ['chat_messages'], 'chat_messages'],
])('a table is suggested only for a near miss: %s of %j is %s', (misspelled, names, suggestion) => {
  expect(suggest(misspelled, names, MIN_NAME_SIMILARITY)).toBe(suggestion)
})
