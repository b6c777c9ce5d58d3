// Postgres keeps the plan of each prepared statement, up to 300 KB of memory for one with views and embeds.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LIMITS } from '#postgres/limits.ts'
import { startWithCallers } from './rest-callers.ts'

let scene: Awaited<ReturnType<typeof startWithCallers>>
beforeAll(async () => {
  scene = await startWithCallers(`
    create table public.notes (id int primary key, text text);
    create view public.prepared as
      select pg_backend_pid() as connection, count(*) as statements, sum(length(statement)) as bytes
      from pg_prepared_statements;
    grant select on public.notes, public.prepared to authenticated, service_role`)
})
afterAll(() => scene.backend.close())

type Prepared = { connection: number; statements: number; bytes: number }

async function read(path: string, init: RequestInit) {
  const response = await scene.backend.send(path, init)
  expect(response.status).toBe(200)
  return (await response.json()) as Prepared[]
}

/** What the connections have prepared, of those that respond. */
async function connections(): Promise<Prepared[]> {
  const responses = await Promise.all(
    Array.from({ length: 40 }, () => read('/prepared', scene.asService())),
  )
  return responses.flat()
}

/** Reads each shape several times: it is prepared on a connection once it has proved to work. */
async function readShapes(from: number, count: number, init: RequestInit) {
  const long = 'x'.repeat(50)
  for (let shape = from; shape < from + count; shape++) {
    const path = `/notes?select=${long}${shape}:id,${long}:text`
    await read(path, init)
    await Promise.all(Array.from({ length: 8 }, () => read(path, init)))
  }
}

const most = (prepared: Prepared[]) => Math.max(...prepared.map(({ statements }) => statements))

test('a caller with ever new shapes prepares a share of them and goes on without; others still prepare theirs', async () => {
  await readShapes(0, 250, scene.asMember())
  const after = await connections()
  expect(most(after)).toBeGreaterThan(50)
  for (const { statements, bytes } of after) {
    expect(bytes + statements * LIMITS.preparedStatementBytes).toBeLessThan(
      LIMITS.preparedBytesPerCaller + 8 * 1024,
    )
  }
  await readShapes(1_000, 5, scene.asService())
  expect(most(await connections())).toBeGreaterThanOrEqual(most(after) + 5)
})
