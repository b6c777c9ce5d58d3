// @vitest-environment node
import { expect, test } from 'vitest'
import { deepLinkOf } from './deep-link.ts'

test('a deep link opens its page, with the custom scheme or https', () => {
  const page = { path: '/chat/7?message=9', needsRestart: false }
  expect(deepLinkOf('com.example.rally://chat/7?message=9')).toEqual(page)
  expect(deepLinkOf('com.example.rally:///chat/7?message=9')).toEqual(page)
  expect(deepLinkOf('https://team.example.com/chat/7?message=9')).toEqual(page)
})

test('a mailed link that carries a session restarts the app, which reads it', () => {
  expect(deepLinkOf('com.example.rally://new-password#access_token=a&type=recovery')).toEqual({
    path: '/new-password#access_token=a&type=recovery',
    needsRestart: true,
  })
  expect(deepLinkOf('https://team.example.com/#error=x&error_code=otp_expired')?.needsRestart).toBe(
    true,
  )
})

test('no link leads out of the app', () => {
  expect(deepLinkOf('com.example.rally:////evil.example/x')?.path).toBe('/evil.example/x')
  expect(deepLinkOf('https://team.example.com//evil.example')?.path).toBe('/evil.example')
  expect(deepLinkOf('com.example.rally:///\\evil.example')?.path).toBe('/evil.example')
  expect(deepLinkOf('words')).toBeNull()
})
