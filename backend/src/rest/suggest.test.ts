import { expect, test } from 'vitest'
import { suggest } from './suggest.ts'

test.each([
  ['film', ['films', 'roles'], 'films'],
  ['user', ['accounts', 'users'], 'users'],
  ['chat_mesages', ['chats', 'chat_messages'], 'chat_messages'],
  ['(vall, pqaram, nam)', ['(name, param, val)', '(id)'], '(name, param, val)'],
  ['xyzzy', ['films', 'roles'], null],
  ['', ['films'], null],
])('%s probably means, of %j, %s', (misspelt, names, meant) => {
  expect(suggest(misspelt, names)).toBe(meant)
})
