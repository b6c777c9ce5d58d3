import 'fake-indexeddb/auto'
import { useInfiniteQuery, useIsFetching, useQuery } from '@tanstack/react-query'
import { screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { useLiveMember } from '#data/live/use-live-member.ts'
import { useLiveChats } from '#features/chat/live/use-live-chats.ts'
import { aChat, aMessage } from '#features/chat/model/chat-builders.ts'
import {
  notificationsQuery,
  unreadNotificationsQuery,
} from '#features/notifications/notification-queries.ts'
import { renderScreen } from '../../../testing/draw-screen.tsx'
import { fakeBackend } from '../../../testing/fake-backend.ts'
import { startLiveServer } from '../../../testing/live-server.ts'

afterEach(() => void vi.unstubAllGlobals())

function Page({ memberId }: { memberId: string }) {
  useLiveMember(memberId)
  useLiveChats(memberId)
  const unread = useQuery(unreadNotificationsQuery()).data ?? 0
  const listed = useInfiniteQuery(notificationsQuery(memberId)).data?.pages[0]?.length ?? 0
  const isReading = useIsFetching() > 0
  return <p>{isReading ? 'reading' : `${unread} unread, ${listed} listed`}</p>
}

/** A member with one small and one large chat, with the badge and the list on screen. */
async function open(memberId: string) {
  const large = `large chat of ${memberId}`
  const server = { unread: 0, mentions: [] as object[] }
  const live = startLiveServer()
  const asked = fakeBackend({
    'POST /rest/v1/rpc/chat_list': {
      body: [aChat({ chat_id: 'small' }), aChat({ chat_id: large, member_count: 60 })],
    },
    'POST /rest/v1/rpc/unread_notification_count': () => ({ body: server.unread }),
    'POST /rest/v1/rpc/my_notifications': () => ({ body: server.mentions }),
  })
  renderScreen({ path: '/', screen: <Page memberId={memberId} /> })
  await screen.findByText('0 unread, 0 listed')
  await waitFor(() =>
    expect(live.hasJoined(`user:${memberId}`) && live.hasJoined(`chat:${large}`)).toBe(true),
  )
  // After a join the chats are read again.
  await waitFor(() =>
    expect(asked.filter(({ path }) => path.includes('chat_list'))).toHaveLength(2),
  )
  await screen.findByText('0 unread, 0 listed')
  return { server, live, asked, large }
}

test('a mention, and reading it, update the badge and the open list at once', async () => {
  const { server, live } = await open('maya')
  Object.assign(server, { unread: 1, mentions: [{}] })
  live.broadcast('user:maya', 'chat_changed', { chat_id: 'small' })
  await screen.findByText('1 unread, 1 listed')
  server.unread = 0
  live.broadcast('user:maya', 'chat_changed', { chat_id: 'small' })
  await screen.findByText('0 unread, 1 listed')
})

test('what is read on another device is read here at once', async () => {
  const { server, live, asked } = await open('lena')
  Object.assign(server, { unread: 1, mentions: [{}] })
  live.broadcast('user:lena', 'report_closed', {})
  await screen.findByText('1 unread, 1 listed')
  server.unread = 0
  const before = asked.length
  live.broadcast('user:lena', 'notifications_read', {})
  await screen.findByText('0 unread, 1 listed')
  expect(asked.slice(before).map(({ path }) => path.split('/').at(-1))).toEqual([
    'unread_notification_count',
    'my_notifications',
  ])
})

test('in a large chat, which sends no personal events, a mention is announced, and only that is fetched', async () => {
  const { server, live, asked, large } = await open('theo')
  server.unread = 1
  const before = asked.length
  live.broadcast(`chat:${large}`, 'message_inserted', aMessage({ mentions: ['priya'] }))
  live.broadcast(`chat:${large}`, 'message_inserted', aMessage({ mentions: ['theo'] }))
  live.broadcast(`chat:${large}`, 'message_inserted', aMessage())
  await screen.findByText('1 unread, 0 listed')
  expect(asked.slice(before).map(({ path }) => path.split('/').at(-1))).toEqual([
    'unread_notification_count',
    'my_notifications',
  ])
})
