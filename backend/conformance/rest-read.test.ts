import { afterAll, beforeAll, expect, test } from 'vitest'
import { startRestBackend, type RestBackend } from './rest-backend.ts'

let backend: RestBackend
beforeAll(async () => {
  backend = await startRestBackend()
})
afterAll(() => backend.close())

/** The ids of the films that `query` returns. */
async function ids(query: string): Promise<number[]> {
  const response = await backend.send(`/films?select=id&order=id&${query}`)
  const body = (await response.json()) as { id: number }[]
  expect(response.status, JSON.stringify(body)).toBe(200)
  return body.map(({ id }) => id)
}

test.each([
  ['%20id', { id: 1 }],
  ['%20id%20,%09year%20', { id: 1, year: 1971 }],
  ['%20n:%20id', { n: 1 }],
  ['n%20:id::%20text%20', { n: '1' }],
  ['%20studio%20(%20name%20),id', null],
  ['director_id,directors!films_director_id_fkey(%20id%20,%20studio_id%20)', 'embed'],
  ['', 'all'],
])('blanks around names in select=%s do not count', async (select, expected) => {
  const response = await backend.send(`/films?id=eq.1&select=${select}`)
  const body = (await response.json()) as Record<string, unknown>[]
  if (expected === null) expect(body).toMatchObject({ code: 'PGRST200' })
  else if (expected === 'all') expect(body[0]).toMatchObject({ id: 1, year: 1971 })
  else if (expected === 'embed')
    expect(Object.keys(body[0]?.directors as object)).toEqual(['id', 'studio_id'])
  else expect(body).toEqual([expected])
})

test.each(['%20', 'id,', 'id,%20', ',id', 'id,,year', 'directors!director_id(%20)', 'id%0A'])(
  'select=%s names nothing where something must be named, which is an error',
  async (select) => {
    const response = await backend.send(`/films?select=${select}`)
    expect([response.status, await response.json()]).toMatchObject([400, { code: 'PGRST100' }])
  },
)

test('select returns the named columns of all rows', async () => {
  const { data, error } = await backend.db.from('studios').select('id,name').order('id')
  expect(error).toBeNull()
  expect(data).toEqual([
    { id: 1, name: 'Riverside' },
    { id: 2, name: 'Hilltop' },
  ])
})

test.each([
  ['id=eq.2', [2]],
  ['id=neq.2', [1, 3, 4, 5]],
  ['id=gt.3', [4, 5]],
  ['id=gte.3', [3, 4, 5]],
  ['id=lt.3', [1, 2]],
  ['id=lte.3', [1, 2, 3]],
  ['title=like.*e*', [1, 2, 4]],
  ['title=like.Under%5C_*', [4]],
  ['title=ilike.*LOST', [5]],
  ['title=match.^[AB]', [1, 2]],
  ['title=imatch.^[ab]', [1, 2]],
  ['year=is.null', [5]],
  ['year=not.is.null', [1, 2, 3, 4]],
  ['year=is.not_null', [1, 2, 3, 4]],
  ['is_color=is.true', [1, 2, 3, 4, 5]],
  ['is_color=is.UNKNOWN', []],
  ['year=isdistinct.1971', [2, 3, 4, 5]],
  ['id=in.(1,3)', [1, 3]],
  ['id=not.in.(1,3)', [2, 4, 5]],
  ['id=in.()', []],
  ['title=in.("Blue, \\"Bluer\\"",Lost)', [2, 5]],
  ['tags=cs.{slow}', [1, 5]],
  ['tags=cd.{slow,green,blue}', [1, 2, 3, 5]],
  ['tags=ov.{blue,green}', [1, 2]],
  ['tags=cs.{"with,comma"}', [4]],
  ['facts=cs.{"kind":"drama"}', [1]],
  ['runs=sl.[25,30)', [1, 2]],
  ['runs=sr.[1,10)', [3]],
  ['runs=nxl.[5,20)', [2, 3]],
  ['runs=nxr.[5,20)', [1, 2]],
  ['runs=adj.[20,30)', [2, 3]],
  ['words=fts.cat', [1, 4]],
  ['words=fts(english).cats', [1, 4]],
  ['words=plfts.fat cat', [1]],
  ['words=phfts(english).fat cats', [1]],
  ['words=wfts(english).cats -dogs', [1]],
  ['title=fts(english).field', [1]],
  ['facts=fts(simple).drama', [1]],
  ['words=not.fts.cat', [2]],
  ['title=like(any).{A*,L*}', [1, 5]],
  ['title=ilike(all).{*e*,*d*}', [1, 4]],
  ['id=eq(any).{1,2}', [1, 2]],
  ['id=gt(all).{1,2}', [3, 4, 5]],
  ['mood=eq.happy', [1, 5]],
  ['mood=in.(sad,"so \\"so\\"")', [2, 4]],
  ['facts->>kind=eq.drama', [1]],
  ['facts->a->b->2->>c=eq.deep', [1]],
  ['facts->a->b->>0=eq.10', [1]],
  ['facts->a->b->-1->>c=eq.deep', [1]],
  ['facts->n=gt.5', [2]],
  ['facts->>kind=is.null', [3, 4, 5]],
  ['notes->>x=eq.1', [1]],
  ['tags->0=eq."blue"', [2]],
  ['or=(id.eq.1,id.eq.3)', [1, 3]],
  ['and=(id.gt.1,id.lt.4)', [2, 3]],
  ['not.or=(id.eq.1,id.eq.3)', [2, 4, 5]],
  ['or=(id.eq.1,and(year.gt.1990,not.and(rating.is.null,id.gt.0)))', [1, 4]],
  ['or=(title.eq."Blue, \\"Bluer\\"",tags.cs.{slow,green},id.in.(5,6))', [1, 2, 5]],
  ['or=(id.not.in.(1,2,3),facts->>kind.eq.comedy)', [2, 4, 5]],
  ['or=(title.like(any).{A*,B*},id.eq.5)', [1, 2, 5]],
  ['id=gt.1&id=lt.4', [2, 3]],
  ['released=gt.1984-01-01T00:00:00Z', [4]],
  ['released=eq.1971-03-01T10:00:00%2B00:00', [1]],
  ['day=eq.1984-01-01', [2]],
  ['is_old=is.true', [1]],
])('the filter %s returns films %j', async (query, expected) => {
  expect(await ids(query)).toEqual(expected)
})

test.each([
  ['order=year.desc.nullslast,id', [4, 3, 2, 1, 5]],
  ['order=year', [1, 2, 3, 4, 5]],
  ['order=year.nullsfirst', [5, 1, 2, 3, 4]],
  ['order=year.desc', [5, 4, 3, 2, 1]],
  ['order=facts->n.desc.nullslast,id.desc', [2, 1, 5, 4, 3]],
  ['order=id&limit=2', [1, 2]],
  ['order=id&limit=2&offset=1', [2, 3]],
  ['order=id&offset=3', [4, 5]],
  ['order=id&limit=0', []],
])('%s returns films %j', async (query, expected) => {
  const response = await backend.send(`/films?select=id&${query}`)
  expect(((await response.json()) as { id: number }[]).map(({ id }) => id)).toEqual(expected)
})

test('columns can be renamed, cast and extracted from JSON', async () => {
  const { data, error } = await backend.db
    .from('films')
    .select(
      'name:title,year::text,facts->a->b->0,deep:facts->a->b->2->>c,facts->>kind,is_old,budget:film_details(budget::text)',
    )
    .eq('id', 1)
  expect(error).toBeNull()
  expect(data).toEqual([
    {
      name: 'A Quiet Field',
      year: '1971',
      b: 10,
      deep: 'deep',
      kind: 'drama',
      is_old: true,
      budget: { budget: '9007199254740993' },
    },
  ])
})

test('names with reserved characters work when quoted', async () => {
  const { data, error } = await backend.db
    .from('Odd, names')
    .select('"the id","weird:column.with(every)char,\\"quote\\"",ünï-çødé,select')
    .eq('"weird:column.with(every)char,\\"quote\\""', 'a (b), "c"')
  expect(error).toBeNull()
  expect(data).toEqual([
    {
      'the id': 1,
      'weird:column.with(every)char,"quote"': 'a (b), "c"',
      'ünï-çødé': 'grün',
      select: 'from',
    },
  ])
})

test('many-to-one, one-to-many, one-to-one and many-to-many resources embed', async () => {
  const { data, error } = await backend.db
    .from('films')
    .select(
      'id,director:directors!films_director_id_fkey(full_name),film_details(plot),roles(part),actors(name)',
    )
    .eq('id', 1)
    .order('name', { referencedTable: 'actors' })
    .order('part', { referencedTable: 'roles', ascending: false })
    .single()
  expect(error).toBeNull()
  expect(data).toEqual({
    id: 1,
    director: { full_name: 'Ada Berg' },
    film_details: { plot: 'Sheep.' },
    roles: [{ part: 'Shepherd' }, { part: 'Sheep' }],
    actors: [{ name: 'Hal' }, { name: 'Ida' }],
  })
})

test('two foreign keys to one table make an embed ambiguous without a hint', async () => {
  const { error, status } = await backend.db.from('films').select('directors(id)')
  expect(status).toBe(300)
  expect(error).toMatchObject({ code: 'PGRST201' })
  expect(error?.details).toContainEqual({
    cardinality: 'many-to-one',
    embedding: 'films with directors',
    relationship: 'films_written_by using films(writer_id) and directors(id)',
  })
  for (const hint of ['films_written_by', 'writer_id']) {
    const { data } = await backend.db.from('films').select(`directors!${hint}(id)`).eq('id', 1)
    expect(data).toEqual([{ directors: { id: 2 } }])
  }
  const { data } = await backend.db
    .from('films')
    .select('films_written_by(id),director_id(id)')
    .eq('id', 1)
  expect(data).toEqual([{ films_written_by: { id: 2 }, director_id: { id: 1 } }])
})
