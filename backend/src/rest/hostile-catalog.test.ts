// Fuzzes the schema cache: random schemas with hostile names, whose reads must return what plain SQL returns.
// `FUZZ_CATALOGS` sets the number of schemas, `FUZZ_SEED` repeats a run.
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CatalogFuzzer } from '../../testing/catalog-fuzzer.ts'
import { FUZZED_SCHEMA, type FuzzedRead } from '../../testing/catalog-reads.ts'
import { startTestBackend, type TestBackend } from '../../testing/start-test-backend.ts'

const CATALOGS = Number(process.env.FUZZ_CATALOGS ?? 12)
const SEED = Number(process.env.FUZZ_SEED ?? Date.now() % 1_000_000)

let backend: TestBackend
let owner: pg.Client
beforeAll(async () => {
  backend = await startTestBackend({
    sql: `create schema ${FUZZED_SCHEMA}`,
    settings: { rest: { schemas: [FUZZED_SCHEMA] } },
  })
  owner = new pg.Client(backend.ownerUrl)
  await owner.connect()
})
afterAll(async () => {
  await owner.end()
  await backend.close()
})

async function send(path: string): Promise<[status: number, body: string]> {
  const response = await fetch(`${backend.url}/rest/v1${path}`, {
    headers: { apikey: backend.publishableKey },
  })
  return [response.status, await response.text()]
}

/** The JSON in a form that does not depend on the order of rows. */
function unordered(json: string): string {
  const sort = (value: unknown): unknown => {
    if (!Array.isArray(value)) return value
    return value
      .map(sort)
      .sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))
  }
  return JSON.stringify(sort(JSON.parse(json)))
}

async function expectSameRows({ path, sql }: FuzzedRead) {
  const { rows } = await owner.query<{ text: string }>(
    `select coalesce(json_agg(x.*), '[]')::text as text from (${sql}) as x`,
  )
  const [status, body] = await send(path)
  // Names can make a relationship ambiguous, which is not an error of ours.
  if (status === 300) return
  expect({ path, sql, status, rows: status === 200 ? unordered(body) : body }).toEqual({
    path,
    sql,
    status: 200,
    rows: unordered(rows[0]?.text ?? ''),
  })
}

test(
  `${CATALOGS} random schemas (seed ${SEED}) load, and reading them equals plain SQL`,
  { timeout: 3_600_000 },
  async () => {
    const fuzzer = new CatalogFuzzer(SEED)
    for (let index = 0; index < CATALOGS; index++) {
      const { sql, reads, endless } = fuzzer.next()
      const marker = `loaded_${index}`
      await owner.query(`${sql}; create table ${FUZZED_SCHEMA}.${marker} (id int)`)
      await expect
        .poll(async () => (await send(`/${marker}`))[1], { timeout: 60_000 })
        .toMatch(/permission denied/)
      for (const read of reads) await expectSameRows(read)
      for (const path of endless) expect((await send(path))[1]).toContain('42P17')
    }
  },
)
