// @vitest-environment node
import { expect, test } from 'vitest'
import { pathOf } from './push-target.ts'

test('a push about a message leads to its chat', () => {
  expect(pathOf({ chat_id: 'a/b' })).toBe('/chat/a%2Fb')
})

test('a notice leads to its link when that is a path of the app, else to the notifications', () => {
  expect(pathOf({ link: '/schedule' })).toBe('/schedule')
  expect(pathOf({ link: 'https://evil.example' })).toBe('/notifications')
  expect(pathOf({ link: '//evil.example' })).toBe('/notifications')
  expect(pathOf({ link: '/\\evil.example' })).toBe('/notifications')
  expect(pathOf({})).toBe('/notifications')
})

test("the target carries the notice's id, so that the page can report it as opened", () => {
  expect(pathOf({ notice_id: 'n1' })).toBe('/notifications?notice=n1')
  expect(pathOf({ notice_id: 'n&1', link: '/schedule?day=1#now' })).toBe(
    '/schedule?day=1&notice=n%261#now',
  )
})
