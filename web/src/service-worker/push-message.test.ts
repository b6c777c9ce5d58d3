import { expect, test } from 'vitest'
import { pathOf, readPushMessage } from './push-message.ts'

test('a push about a message leads to its chat', () => {
  expect(pathOf({ chat_id: 'a/b' })).toBe('/chat/a%2Fb')
})

test('a notice leads to its link when that is a path of the app, else to the notifications', () => {
  expect(pathOf({ link: '/schedule' })).toBe('/schedule')
  expect(pathOf({ link: 'https://evil.example' })).toBe('/notifications')
  expect(pathOf({ link: '//evil.example' })).toBe('/notifications')
  expect(pathOf({})).toBe('/notifications')
})

test('a push that cannot be read is shown under the name of the app', () => {
  for (const text of [undefined, '', 'plain words', 'null']) {
    expect(readPushMessage(text, 'Team')).toMatchObject({ title: 'Team', body: '', data: {} })
  }
})
