import { afterAll, beforeAll, expect, test } from 'vitest'
import { startRestBackend, type RestBackend } from './rest-backend.ts'

let backend: RestBackend
beforeAll(async () => {
  backend = await startRestBackend()
})
afterAll(() => backend.close())

async function read(path: string): Promise<unknown> {
  const response = await backend.send(path)
  return response.json()
}

test('two embedded resources of one name need aliases', async () => {
  const twice = (first: string, second: string) =>
    `/films?select=id,${first}directors!director_id(id),${second}directors!writer_id(id)&id=eq.1`
  const refused = await backend.send(twice('', ''))
  expect([refused.status, await refused.json()]).toMatchObject([
    400,
    { code: '42712', message: 'table name "films_directors_1" specified more than once' },
  ])
  expect(await (await backend.send(twice('director:', 'writer:'))).json()).toEqual([
    { id: 1, director: { id: 1 }, writer: { id: 2 } },
  ])
})

test('filters, order, limit and offset can apply to an embedded resource only', async () => {
  expect(
    await read(
      '/films?select=id,actors(name)&id=in.(1,2)&order=id&actors.name=like.*a*&actors.order=name.desc&actors.limit=1',
    ),
  ).toEqual([
    { id: 1, actors: [{ name: 'Ida' }] },
    { id: 2, actors: [{ name: 'Ida' }] },
  ])
  expect(
    await read('/films?select=actors(name)&id=eq.1&actors.order=name&actors.offset=1'),
  ).toEqual([{ actors: [{ name: 'Ida' }] }])
  expect(
    await read('/films?select=roles(part)&id=eq.1&roles.or=(part.eq.Sheep,part.eq.Line)'),
  ).toEqual([{ roles: [{ part: 'Sheep' }] }])
})

test('a nested resource is addressed by a dotted path and by its alias', async () => {
  expect(
    await read(
      '/studios?select=name,makers:directors(first_name,works:films!director_id(title))&id=eq.1&makers.id=lt.3&makers.order=id&makers.works.year=gt.1980',
    ),
  ).toEqual([
    {
      name: 'Riverside',
      makers: [
        { first_name: 'Ada', works: [{ title: 'Blue, "Bluer"' }] },
        { first_name: 'Cy', works: [{ title: 'Città 100%' }] },
      ],
    },
  ])
})

test('an inner embed excludes rows without a match, also from the count', async () => {
  const { data, count } = await backend.db
    .from('films')
    .select('id,actors!inner(name)', { count: 'exact' })
    .eq('actors.name', 'Ida')
    .order('id')
    .limit(1)
  expect(data).toEqual([{ id: 1, actors: [{ name: 'Ida' }] }])
  expect(count).toBe(2)
  expect(
    await read(
      '/films?select=id,directors!films_director_id_fkey!inner(studios!inner(name))&directors.studios.name=eq.Riverside&order=id',
    ),
  ).toEqual([
    { id: 1, directors: { studios: { name: 'Riverside' } } },
    { id: 2, directors: { studios: { name: 'Riverside' } } },
    { id: 3, directors: { studios: { name: 'Riverside' } } },
  ])
  expect(await read('/films?select=id,film_details!left(plot)&id=eq.3')).toEqual([
    { id: 3, film_details: null },
  ])
})

test('rows can be filtered by whether an embedded resource exists', async () => {
  expect(await read('/films?select=id,film_details()&film_details=not.is.null&order=id')).toEqual([
    { id: 1 },
    { id: 2 },
  ])
  expect(await read('/films?select=id,actors(name)&actors=is.null&order=id')).toEqual([
    { id: 3, actors: [] },
    { id: 5, actors: [] },
  ])
  const { data, count } = await backend.db
    .from('films')
    .select('id,film_details(),actors()', { count: 'exact' })
    .or('film_details.not.is.null,actors.not.is.null')
    .order('id')
    .limit(2)
  expect([data, count]).toEqual([[{ id: 1 }, { id: 2 }], 3])
})

test('rows can be ordered by a column of a to-one resource', async () => {
  expect(
    await read(
      '/films?select=id,directors!director_id(last_name)&order=directors(last_name).desc.nullslast,id',
    ),
  ).toMatchObject([{ id: 3 }, { id: 1 }, { id: 2 }, { id: 4 }, { id: 5 }])
  expect(await read('/films?select=id,actors(name)&order=actors(name)')).toMatchObject({
    code: 'PGRST118',
    message: "A related order on 'actors' is not possible",
    details: "'films' and 'actors' do not form a many-to-one or one-to-one relationship",
  })
  expect(await read('/films?select=id&order=actors(name)')).toMatchObject({ code: 'PGRST108' })
})

test('a self-referencing table embeds parents by column and children by name and hint', async () => {
  expect(
    await read(
      '/directors?select=first_name,mentor_id(first_name),pupils:directors!mentor_id(first_name)&id=eq.2',
    ),
  ).toEqual([
    { first_name: 'Cy', mentor_id: { first_name: 'Ada' }, pupils: [{ first_name: 'Finn' }] },
  ])
})

test('a composite foreign key embeds in both directions', async () => {
  expect(
    await read('/tickets?select=price,screenings(film_id,films(title))&order=price&limit=1'),
  ).toEqual([{ price: 8, screenings: { film_id: 1, films: { title: 'A Quiet Field' } } }])
  expect(
    await read(
      '/screenings?select=number,tickets(price)&cinema=eq.1&order=number&tickets.order=price',
    ),
  ).toEqual([
    { number: 1, tickets: [{ price: 9.5 }, { price: 12 }] },
    { number: 2, tickets: [] },
  ])
})

test('views embed by the keys of their tables, also through nested views', async () => {
  expect(
    await read(
      '/film_list?select=title,letters,directors(first_name),film_details(plot),actors(name)&film_id=eq.1&actors.order=id',
    ),
  ).toEqual([
    {
      title: 'A Quiet Field',
      letters: 13,
      directors: { first_name: 'Ada' },
      film_details: { plot: 'Sheep.' },
      actors: [{ name: 'Hal' }, { name: 'Ida' }],
    },
  ])
  expect(
    await read('/film_list_again?select=title,roles(part,plain_actors(name))&film_id=eq.2'),
  ).toEqual([
    { title: 'Blue, "Bluer"', roles: [{ part: 'Painter', plain_actors: { name: 'Ida' } }] },
  ])
  expect(await read('/directors?select=first_name,film_list(title)&id=eq.2')).toEqual([
    { first_name: 'Cy', film_list: [{ title: 'Città 100%' }] },
  ])
})

test('computed relationships embed, filter and nest', async () => {
  expect(
    await read('/directors?select=first_name,color_films(title)&id=eq.1&color_films.year=gt.1980'),
  ).toEqual([{ first_name: 'Ada', color_films: [{ title: 'Blue, "Bluer"' }] }])
  expect(
    await read(
      '/films?select=id,main_director(full_name,studios(name))&order=main_director(last_name).desc.nullslast&limit=1',
    ),
  ).toEqual([{ id: 3, main_director: { full_name: 'Cy Dahl', studios: { name: 'Riverside' } } }])
  const { data, error } = await backend.db
    .from('films')
    .update({ is_color: true })
    .eq('id', 3)
    .select('*,main_director(last_name)')
  expect(error).toBeNull()
  expect(data).toMatchObject([{ id: 3, main_director: { last_name: 'Dahl' } }])
})

test('a spread resource adds its columns to its parent', async () => {
  expect(
    await read(
      '/films?select=title,...directors!director_id(director:full_name,...studios(studio:name))&id=eq.3',
    ),
  ).toEqual([{ title: 'Città 100%', director: 'Cy Dahl', studio: 'Riverside' }])
  expect(await read('/films?select=id,...film_details(*)&id=eq.2')).toEqual([
    { id: 2, film_id: 2, budget: 100, plot: 'Paint.' },
  ])
  expect(
    await read(
      '/films?select=id,...actors(names:name,ids:id)&id=in.(1,3)&order=id&actors.order=name.desc',
    ),
  ).toEqual([
    { id: 1, names: ['Ida', 'Hal'], ids: [2, 1] },
    { id: 3, names: [], ids: [] },
  ])
  expect(
    await read('/films?select=id,...actors(name)&id=eq.1&actors.order=name.desc&actors.limit=1'),
  ).toEqual([{ id: 1, name: ['Ida'] }])
})

test('the error for a missing relationship has what was searched for and a suggestion', async () => {
  expect(await read('/films?select=actor(name)')).toEqual({
    code: 'PGRST200',
    message: "Could not find a relationship between 'films' and 'actor' in the schema cache",
    details:
      "Searched for a foreign key relationship between 'films' and 'actor' in the schema 'public', but no matches were found.",
    hint: "Perhaps you meant 'actors' instead of 'actor'.",
  })
  expect(await read('/films?select=actors!nowhere(name)')).toMatchObject({
    code: 'PGRST200',
    details:
      "Searched for a foreign key relationship between 'films' and 'actors' using the hint 'nowhere' in the schema 'public', but no matches were found.",
    hint: null,
  })
  expect(await read('/films?select=id&actors.name=eq.Ida')).toEqual({
    code: 'PGRST108',
    message: "'actors' is not an embedded resource in this request",
    details: null,
    hint: "Verify that 'actors' is included in the 'select' query parameter.",
  })
})
