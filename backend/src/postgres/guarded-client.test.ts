import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestBackend, type TestBackend } from '../../testing/start-test-backend.ts'
import { ResponseTooLargeError } from './errors.ts'
import { createPool, createResponseMeter, GuardedClient } from './guarded-client.ts'
import { LIMITS } from './limits.ts'
import { inTransaction } from './transaction.ts'

let backend: TestBackend
const member = { role: 'authenticated', claimsText: '{}', claims: { sub: 'member' } }
const HUGE = `select repeat('x', ${LIMITS.responseBytes + 1})`
const MANY = `select repeat('x', 1048576) from generate_series(1, ${LIMITS.responseBytes / 1_048_576 + 1})`

beforeAll(async () => {
  backend = await startTestBackend()
})
afterAll(() => backend.close())

test.each([HUGE, MANY])(
  'a response over the limit fails only its own request: %s',
  async (text) => {
    await expect(backend.database.rowsAs(member, { text })).rejects.toThrow(ResponseTooLargeError)
    await expect(backend.database.runAs(member, { text })).rejects.toThrow(ResponseTooLargeError)
    const service = backend.database.asService('auth', 'a test')
    await expect(service.query({ text })).rejects.toThrow(ResponseTooLargeError)
    await expect(
      backend.database.transactionAs(member, (query) => query({ text })),
    ).rejects.toThrow(ResponseTooLargeError)
    expect(await backend.database.rowsAs(member, { text: 'select 1' })).toEqual([['1']])
    const { rows } = await service.query({ text: 'select 1 as one' })
    expect(rows).toEqual([{ one: 1 }])
  },
)

test('responses under the limit do not add up across requests on one connection', async () => {
  for (let each = 0; each < 5; each++) {
    const [row] = await backend.database.rowsAs(member, {
      text: `select repeat('x', ${LIMITS.responseBytes / 2})`,
    })
    expect(row?.[0]?.length).toBe(LIMITS.responseBytes / 2)
  }
})

test('an exception while reading a response ends that connection and nothing else', async () => {
  const client = new GuardedClient({ connectionString: backend.superuserUrl })
  await client.connect()
  client.on('notification', () => {
    throw new Error('thrown inside the data handler')
  })
  await client.query('listen here')
  await expect(client.query('notify here')).rejects.toThrow('thrown inside the data handler')
  await expect(client.query('select 1')).rejects.toThrow('not queryable')
})

test('a connection lost while checked out fails its transaction, and the pool recovers', async () => {
  const pool = createPool({ connectionString: backend.superuserUrl, max: 1 }, () => undefined)
  const lost = inTransaction(pool, [], async (query) => {
    const { rows } = await query({ text: 'select pg_backend_pid() as pid' })
    const other = backend.database.asService('auth', 'a test')
    const owner = new GuardedClient({ connectionString: backend.superuserUrl })
    await owner.connect()
    await owner.query('select pg_terminate_backend($1)', [(rows[0] as { pid: number }).pid])
    await owner.end()
    await other.query({ text: 'select 1' })
    return query({ text: 'select 1' })
  })
  await expect(lost).rejects.toThrow()
  const { rows } = await pool.query('select 1 as one')
  expect(rows).toEqual([{ one: 1 }])
  await pool.end()
})

test('messages are measured correctly however they are split into chunks', () => {
  const message = (type: string, length: number) => {
    const bytes = Buffer.alloc(length + 1)
    bytes.write(type)
    bytes.writeUInt32BE(length, 1)
    return bytes
  }
  const response = Buffer.concat([
    message('D', 60),
    message('D', 39),
    message('C', 9),
    message('Z', 5),
  ])
  const tooLarge = Buffer.concat([response, message('D', 60), message('D', 41)])
  for (let step = 1; step <= tooLarge.length; step++) {
    const feed = (bytes: Buffer) => {
      const measure = createResponseMeter(100)
      for (let at = 0; at < bytes.length; at += step) measure(bytes.subarray(at, at + step))
    }
    expect(() => feed(Buffer.concat([response, response]))).not.toThrow()
    expect(() => feed(tooLarge)).toThrow(ResponseTooLargeError)
  }
})
