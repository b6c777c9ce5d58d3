import { Writable } from 'node:stream'
import pg from 'pg'
import { expect, test } from 'vitest'
import { createLog } from './create-log.ts'

function logged(error: unknown): string {
  let text = ''
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString()
      done()
    },
  })
  createLog('info', sink).error({ err: error }, 'failed')
  return text
}

function postgresError(code: string, message: string) {
  return Object.assign(new pg.DatabaseError(message, 0, 'error'), {
    severity: 'ERROR',
    code,
    table: 'users',
    detail: 'Failing row contains (push token).',
    where: 'unnamed portal parameter $1 = push token',
  })
}

test('Postgres errors are logged without rows, values and parameters', () => {
  const line = logged(
    new Error('outer', { cause: postgresError('22P02', 'bad uuid: "push token"') }),
  )
  expect(line).not.toContain('push token')
  expect(line).toContain('22P02')
  expect(logged(postgresError('P0001', 'push token'))).not.toContain('push token')
  expect(logged(postgresError('57P01', 'terminating connection'))).toContain(
    'terminating connection',
  )
})

test('JSON parse errors are logged without the body, and long messages are cut', () => {
  const parse = () => JSON.parse('{"password": hunter2') as unknown
  let error: unknown
  try {
    parse()
  } catch (caught) {
    error = caught
  }
  expect(logged(error)).not.toContain('hunter2')
  expect(logged(new Error('x'.repeat(100_000))).length).toBeLessThan(5_000)
})
