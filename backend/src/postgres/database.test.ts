import { expect, test } from 'vitest'
import { startTestBackend } from '../../testing/start-test-backend.ts'

const LOCK = 4711

test('Postgres responds to a ping while every connection of the services waits for something', async () => {
  const { database, close } = await startTestBackend()
  try {
    const waiting: Promise<unknown>[] = []
    await database.asService('auth', 'holds a lock').transaction(async (query) => {
      await query({ text: 'select pg_advisory_xact_lock($1)', values: [LOCK] })
      const text = 'select pg_advisory_xact_lock_shared($1)'
      for (const service of ['auth', 'storage', 'realtime'] as const)
        for (let n = 0; n < 8; n++)
          waiting.push(database.asService(service, 'waits for it').query({ text, values: [LOCK] }))
      await expect(database.ping()).resolves.toBeUndefined()
    })
    await Promise.all(waiting)
  } finally {
    await close()
  }
})
