import pg from 'pg'
import { expect, test } from 'vitest'
import type { ServiceError } from '#http/service-error.ts'
import { toRestError } from './database-error.ts'

function statusFor(code: string): number {
  const error = Object.assign(new pg.DatabaseError('refused', 0, 'error'), {
    code,
    severity: 'FATAL',
  })
  return (toRestError(error, true) as ServiceError).status
}

test('while Postgres stops, recovers or starts the client is told to try again', () => {
  expect(['57P01', '57P02', '57P03', '53300'].map(statusFor)).toEqual([503, 503, 503, 503])
})

test('a statement that was cancelled is no reason to try again', () => {
  expect(statusFor('57014')).toBe(500)
})
