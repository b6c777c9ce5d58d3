// Whatever the request, the statement contains only our own keywords, quoted names and numbered parameters. Checked with
// random requests, without a database.
import { expect, test } from 'vitest'
import { ServiceError } from '#http/service-error.ts'
import { planQuery } from '#rest/plan/plan-query.ts'
import { parseRequest } from '#rest/request/parse-request.ts'
import { requestValues } from '#rest/request/request-values.ts'
import { buildSchema } from '#rest/schema-cache/build-schema.ts'
import type { CatalogColumn, CatalogTable } from '#rest/schema-cache/catalog-types.ts'
import { RequestFuzzer } from '../../../testing/request-fuzzer.ts'
import { buildSql } from './build-sql.ts'

const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 20_000)
const SETTINGS = { aggregates: true, explain: true }

function table(id: number, name: string, columns: [string, string][]): CatalogTable {
  return {
    id,
    schema: 'public',
    name,
    is_view: false,
    description: null,
    insertable: true,
    updatable: true,
    deletable: true,
    columns: columns.map(([column, type], index): CatalogColumn => ({
      number: index + 1,
      name: column,
      type,
      base: type,
      nullable: true,
      default: column === 'id' ? '0' : null,
      description: null,
      enumValues: null,
    })),
  }
}

const schema = buildSchema(
  {
    tables: [
      table(1, 'films', [
        ['id', 'integer'],
        ['title', 'text'],
        ['facts', 'jsonb'],
        ['words', 'tsvector'],
        ['director_id', 'integer'],
        ['a"b', 'text'],
      ]),
      table(2, 'directors', [
        ['id', 'integer'],
        ['name', 'text'],
      ]),
      table(3, 'actors', [
        ['id', 'integer'],
        ['name', 'text'],
      ]),
      table(4, 'roles', [
        ['film_id', 'integer'],
        ['actor_id', 'integer'],
        ['part', 'text'],
      ]),
    ],
    keys: [
      {
        table: 1,
        name: 'films_pkey',
        kind: 'p',
        columns: [1],
        otherTable: null,
        otherColumns: null,
      },
      {
        table: 1,
        name: 'films_director_id_fkey',
        kind: 'f',
        columns: [5],
        otherTable: 2,
        otherColumns: [1],
      },
      {
        table: 4,
        name: 'roles_pkey',
        kind: 'p',
        columns: [1, 2],
        otherTable: null,
        otherColumns: null,
      },
      { table: 4, name: 'roles_film', kind: 'f', columns: [1], otherTable: 1, otherColumns: [1] },
      { table: 4, name: 'roles_actor', kind: 'f', columns: [2], otherTable: 3, otherColumns: [1] },
    ],
    views: [],
    routines: [],
    roleSettings: [],
    preRequest: [],
    schemas: [],
  },
  ['public'],
  1,
)

async function build(path: string, init: RequestInit = {}) {
  const request = new Request(`http://localhost/rest/v1${path}`, init)
  const parsed = await parseRequest(request, {
    schemas: ['public'],
    allowRollback: true,
    role: 'authenticated',
  })
  return { sql: buildSql(planQuery(parsed, schema, SETTINGS)), values: requestValues(parsed) }
}

/** The statement without its quoted names and literals. */
function stripQuoted(text: string): string {
  const parts = /"(?:[^"]|"")*"|E'(?:[^'\\]|\\.|'')*'|'(?:[^']|'')*'/gs
  return text.replace(parts, ' quoted ')
}

test('values reach the statement only as parameters', async () => {
  const { sql, values } = await build(
    "/films?title=eq.'; drop table films; --&id=in.(1,2)&select=id&limit=5&offset=7",
  )
  expect(sql.text).toContain('t0."title" = $1 and t0."id" = any ($2) limit 5 offset $3::bigint')
  expect(sql.order.map((index) => values[index])).toEqual([
    "'; drop table films; --",
    '{"1","2"}',
    '7',
  ])
})

test('names are quoted, whatever they contain', async () => {
  const { sql } = await build(
    `/films?select=${encodeURIComponent('"x\\" from y; --":"a\\"b",facts->"it\'s\\\\"')}`,
  )
  expect(sql.text).toContain(`t0."a""b"`)
  expect(stripQuoted(sql.text)).not.toMatch(/;|--/)
})

test(
  `${REQUESTS} malformed requests build only safe statements, or none`,
  { timeout: 600_000 },
  async () => {
    const fuzzer = new RequestFuzzer(Number(process.env.FUZZ_SEED ?? 11))
    let built = 0
    for (let index = 0; index < REQUESTS; index++) {
      const { path, method, headers, body } = fuzzer.next()
      try {
        const { sql, values } = await build(path, { method, headers, body })
        built++
        const text = stripQuoted(sql.text)
        expect(text).not.toMatch(/[;'"\\{}\0]|--|\/\*|\$(?!\d)|[^\x20-\x7e]/)
        expect(sql.order.every((value) => value < values.length)).toBe(true)
        const highest = Math.max(
          0,
          ...[...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)),
        )
        expect(highest).toBe(sql.order.length)
      } catch (error) {
        // The Request constructor rejects some paths and methods.
        if (error instanceof TypeError && /Request|URL|method/i.test(error.message)) continue
        if (!(error instanceof ServiceError)) throw error
        expect(error.status).toBeLessThan(500)
      }
    }
    expect(built).toBeGreaterThan(REQUESTS / 50)
  },
)
