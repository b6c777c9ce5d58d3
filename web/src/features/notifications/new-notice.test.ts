// @vitest-environment node
import { safeParse } from 'valibot'
import { expect, test, vi } from 'vitest'
import { newNotice } from './new-notice.ts'
import { EMPTY_NOTICE, noticeSchema } from './notice-schema.ts'

function refusals(changes: Partial<typeof EMPTY_NOTICE>) {
  const { issues } = safeParse(noticeSchema(), { ...EMPTY_NOTICE, title: 'Rooms', ...changes })
  return issues?.map((issue) => issue.message) ?? []
}

test('a notice needs a title', () => {
  expect(refusals({ title: '   ' })).toEqual(['Title is required'])
})

test('a link is a web address or a path of the app, nothing else', () => {
  for (const link of ['', '/schedule', 'https://example.com/a?b=c', 'www.example.com']) {
    expect(refusals({ link })).toEqual([])
  }
  for (const link of ['//evil.example', 'javascript:alert(1)', 'https://', 'words']) {
    expect(refusals({ link })).toEqual(['Enter a web address, or a path such as /schedule'])
  }
})

test('a notice to a chat or to chosen members names them', () => {
  expect(refusals({ audience: 'chat' })).toEqual(['Choose a chat'])
  expect(refusals({ audience: 'members' })).toEqual(['Choose at least one member'])
})

test('only the selected audience is sent, whatever was selected before', () => {
  const form = {
    ...EMPTY_NOTICE,
    title: 'Rooms',
    chatId: 'c',
    members: [{ id: 'm', first_name: 'Ana', last_name: 'Lopez', email: 'ana@example.com' }],
    role: 'admin' as const,
  }
  expect(newNotice('id', form)).toMatchObject({
    audience: 'all',
    audience_role: null,
    audience_chat_id: null,
    audience_members: [],
    scheduled_for: null,
    link: null,
  })
  expect(newNotice('id', { ...form, audience: 'members' }).audience_members).toEqual(['m'])
})

test('a local time is sent as an absolute time, and one that has passed is refused', () => {
  vi.useFakeTimers({ now: new Date('2026-11-21T12:00') })
  const at = (scheduledFor: string) => newNotice('id', { ...EMPTY_NOTICE, scheduledFor })
  expect(at('2026-12-01T09:30').scheduled_for).toBe(new Date('2026-12-01T09:30').toISOString())
  expect(at('').scheduled_for).toBeNull()
  expect(refusals({ scheduledFor: '2026-11-21T12:01' })).toEqual([])
  expect(refusals({ scheduledFor: '2026-11-21T11:59' })).toEqual([
    expect.stringContaining('This time has passed'),
  ])
  vi.useRealTimers()
})
