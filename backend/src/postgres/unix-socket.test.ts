import { expect, test } from 'vitest'
import { socketSetting, socketUrl } from './unix-socket.ts'

const url = 'postgres://supabase_admin:secret@127.0.0.1:5433/postgres'

test('Postgres listens in its own folder', () => {
  expect(socketSetting('/srv/team data/postgres')).toBe(
    'unix_socket_directories="/srv/team data/postgres"',
  )
})

test('a folder whose path is too long for a socket is reached only over TCP', () => {
  expect(socketSetting(`/srv/${'long/'.repeat(20)}postgres`)).toBe('unix_socket_directories=')
  expect(socketUrl(url, null)).toBe(url)
})

test('the socket URL has the same login and database', () => {
  const { username, password, pathname, searchParams } = new URL(socketUrl(url, '/srv/team data'))
  expect({ username, password, pathname }).toEqual({
    username: 'supabase_admin',
    password: 'secret',
    pathname: '/postgres',
  })
  expect(Object.fromEntries(searchParams)).toEqual({ host: '/srv/team data', port: '5433' })
})
