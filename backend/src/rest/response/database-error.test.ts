import pg from 'pg'
import { expect, test } from 'vitest'
import type { ServiceError } from '#http/service-error.ts'
import { toRestError } from './database-error.ts'

function statusFor(code: string): number {
  const error = Object.assign(new pg.DatabaseError('refused', 0, 'error'), {
    code,
    severity: 'FATAL',
  })
  return (toRestError(error, 'authenticated', null) as ServiceError).status
}

test('while Postgres shuts down, recovers or starts, the client gets 503', () => {
  expect(['57P01', '57P02', '57P03', '53300'].map(statusFor)).toEqual([503, 503, 503, 503])
})

test('a canceled statement is not a 503', () => {
  expect(statusFor('57014')).toBe(500)
})
