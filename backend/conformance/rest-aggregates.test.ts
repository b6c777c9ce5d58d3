// Aggregates together with embedded resources and order.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startRestBackend, type RestBackend } from './rest-backend.ts'

let backend: RestBackend
beforeAll(async () => {
  backend = await startRestBackend({
    settings: { rest: { aggregates: true, explain: true, allowRollback: true } },
  })
})
afterAll(() => backend.close())

async function read(path: string): Promise<unknown> {
  return (await backend.send(path)).json()
}

test('groups can be ordered by a column of a spread resource, by its name or alias', async () => {
  expect(
    await read(
      '/films?select=...directors!director_id(last_name,id.count())&director_id=lt.3&order=directors(last_name).desc',
    ),
  ).toEqual([
    { last_name: 'Dahl', count: 1 },
    { last_name: 'Berg', count: 2 },
  ])
  expect(
    await read(
      '/films?select=...directors!director_id(maker:last_name,films:count())&director_id=lt.3&order=directors(maker)',
    ),
  ).toEqual([
    { maker: 'Berg', films: 2 },
    { maker: 'Dahl', films: 1 },
  ])
})

test('rows can be grouped by an embedded object, also inside a spread resource', async () => {
  expect(
    await read('/films?select=id.count(),directors!director_id(first_name)&director_id=eq.1'),
  ).toEqual([{ count: 2, directors: { first_name: 'Ada' } }])
  expect(
    await read(
      '/films?select=...directors!director_id(studios(name),id.count())&director_id=lt.4&order=count',
    ),
  ).toMatchObject({ code: '42703' })
  const grouped = (await read(
    '/films?select=...directors!director_id(studios(name),films:id.count())&director_id=lt.3',
  )) as unknown[]
  expect(grouped).toEqual([{ studios: { name: 'Riverside' }, films: 3 }])
})

test('a related order can use the alias of an embedded column', async () => {
  const path = '/films?select=id,d:directors!director_id(surname:last_name)&director_id=lt.3'
  expect(await read(`${path}&order=d(surname).desc,id`)).toEqual([
    { id: 3, d: { surname: 'Dahl' } },
    { id: 1, d: { surname: 'Berg' } },
    { id: 2, d: { surname: 'Berg' } },
  ])
  // Not selected: ordered by the column of the table.
  expect(await read(`${path}&order=d(id).desc,id`)).toMatchObject([{ id: 3 }, { id: 1 }, { id: 2 }])
})

test('messages name tables, never what the statement calls them', async () => {
  expect(await read('/films?select=id.count(),director_id&order=year')).toMatchObject({
    code: '42803',
    message: expect.stringContaining('column "films.year" must appear') as string,
  })
})

test.each([
  ['application/vnd.pgrst.plan', '+text; for="application/json"'],
  ['application/vnd.pgrst.plan+json', '+json; for="application/json"'],
  [
    'application/vnd.pgrst.plan+json; for="application/vnd.pgrst.object"; options=verbose|analyze',
    '+json; for="application/vnd.pgrst.object+json"; options=analyze|verbose',
  ],
  ['application/vnd.pgrst.plan+text; for="text/csv"; options=|', '+text; for="text/csv"'],
])('a plan accepted as %s has the content type plan%s', async (accept, type) => {
  const response = await backend.send('/films?select=id', { headers: { accept } })
  expect(response.headers.get('content-type')).toBe(
    `application/vnd.pgrst.plan${type}; charset=utf-8`,
  )
})
