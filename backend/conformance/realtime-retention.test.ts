import { afterAll, beforeAll, expect, test } from 'vitest'
import type pg from 'pg'
import { startTestBackend, type TestBackend } from '../testing/start-test-backend.ts'
import { connectOwner } from './realtime-clients.ts'

let backend: TestBackend
let owner: pg.Client

beforeAll(async () => {
  backend = await startTestBackend()
  owner = await connectOwner(backend)
  await owner.query(`insert into realtime.messages (topic, extension, event, payload, private, inserted_at)
    select 'room', 'broadcast', 'said', '{}', true, now() at time zone 'utc' - hours * interval '1 hour'
    from unnest(array[1, 71, 73, 100, 200]) hours`)
})
afterAll(async () => {
  await owner?.end()
  await backend?.close()
})

test('messages older than three days are deleted in batches', async () => {
  const service = backend.database.asService('realtime', 'the test stands in for the service')
  const clear = async () => {
    const text = `select realtime.delete_old_messages('72 hours', 2) as deleted`
    return (await service.query({ text })).rows[0] as unknown
  }
  expect(await clear()).toEqual({ deleted: 2 })
  expect(await clear()).toEqual({ deleted: 1 })
  expect(await clear()).toEqual({ deleted: 0 })
  const { rows } = await owner.query('select count(*)::int as left from realtime.messages')
  expect(rows).toEqual([{ left: 2 }])
})

test('timestamps are stored in UTC regardless of the session’s time zone', async () => {
  await owner.query(`set timezone = 'Pacific/Auckland'`)
  await owner.query(`select realtime.send('{}', 'said', 'elsewhere')`)
  const { rows } = await owner.query(
    `select abs(extract(epoch from inserted_at - now() at time zone 'utc')) < 60 as is_utc
     from realtime.messages where topic = 'elsewhere'`,
  )
  expect(rows).toEqual([{ is_utc: true }])
})

test('a message that cannot be stored does not roll back its transaction', async () => {
  await owner.query('create table public.things (id int)')
  await owner.query(`begin; insert into public.things values (1)`)
  await owner.query(`select realtime.send('{}', 'said', null)`)
  await owner.query('commit')
  expect((await owner.query('select * from public.things')).rows).toEqual([{ id: 1 }])
})
