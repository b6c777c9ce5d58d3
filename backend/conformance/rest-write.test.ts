import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import pg from 'pg'
import { startRestBackend, type RestBackend } from './rest-backend.ts'

let backend: RestBackend
let owner: pg.Client
beforeAll(async () => {
  backend = await startRestBackend()
  owner = new pg.Client(backend.superuserUrl)
  await owner.connect()
})
afterAll(async () => {
  await owner.end()
  await backend.close()
})
beforeEach(async () => {
  await owner.query(
    'delete from accounts where id > 2; update accounts set visits = 0, short = null; delete from keyless where number > 3 or number is null',
  )
})

const json = { 'content-type': 'application/json' }
/** The client's types have `maxAffected` only with a generated schema. */
function visitAllAtMost(rows: number) {
  const update = backend.db.from('accounts').update({ visits: 9 }).gt('id', 0)
  ;(update as unknown as { maxAffected(rows: number): void }).maxAffected(rows)
  return update
}

test('an insert without select returns 201 and no body', async () => {
  const { data, error, status } = await backend.db.from('accounts').insert({ id: 10, mail: 'a@b' })
  expect({ data, error, status }).toEqual({ data: null, error: null, status: 201 })
})

test('an insert with select returns the new row', async () => {
  const { data, error } = await backend.db
    .from('accounts')
    .insert({ id: 11, mail: 'c@d' })
    .select('id,mail,secret')
    .single()
  expect(error).toBeNull()
  expect(data).toEqual({ id: 11, mail: 'c@d', secret: 'hush' })
})

test('of a list, an update takes the first row', async () => {
  for (const visits of [
    [3, 4, 5],
    [9, 1, 2],
  ]) {
    const response = await backend.send('/accounts?id=eq.1&select=visits', {
      method: 'PATCH',
      body: JSON.stringify(visits.map((each) => ({ visits: each }))),
      headers: { ...json, prefer: 'return=representation' },
    })
    expect(await response.json()).toEqual([{ visits: visits[0] }])
  }
})

test('a bulk insert uses the union of all keys, with null or the default for missing ones', async () => {
  const nulls = await backend.db
    .from('accounts')
    .insert([{ id: 12, secret: 'x' }, { id: 13 }])
    .select('id,secret')
  expect(nulls.data).toEqual([
    { id: 12, secret: 'x' },
    { id: 13, secret: null },
  ])
  const defaults = await backend.db
    .from('accounts')
    .insert([{ id: 14, secret: 'x' }, { id: 15 }], { defaultToNull: false })
    .select('id,secret')
  expect(defaults.error).toBeNull()
  expect(defaults.data).toEqual([
    { id: 14, secret: 'x' },
    { id: 15, secret: 'hush' },
  ])
})

test('an insert can embed what the new row references', async () => {
  const { data, error } = await backend.db
    .from('films')
    .insert({ id: 90, title: 'New', director_id: 2 })
    .select(
      'title,director:directors!films_director_id_fkey(full_name,studios(name)),roles(part),is_old',
    )
  await backend.db.from('films').delete().eq('id', 90)
  expect(error).toBeNull()
  expect(data).toEqual([
    {
      title: 'New',
      director: { full_name: 'Cy Dahl', studios: { name: 'Riverside' } },
      roles: [],
      is_old: null,
    },
  ])
})

test('an upsert merges duplicates by primary key or by the on_conflict columns', async () => {
  const merged = await backend.db
    .from('accounts')
    .upsert({ id: 1, secret: 'new' })
    .select('id,mail,secret')
  expect(merged.data).toEqual([{ id: 1, mail: 'one@example.com', secret: 'new' }])
  expect(merged.status).toBe(200)
  const named = await backend.db
    .from('accounts')
    .upsert({ id: 2, mail: 'two@example.com', secret: 'by mail' }, { onConflict: 'mail' })
    .select('id,secret')
  expect(named.data).toEqual([{ id: 2, secret: 'by mail' }])
  const mixed = await backend.db.from('accounts').upsert([{ id: 1 }, { id: 16 }])
  expect(mixed.status).toBe(201)
})

test('an upsert that ignores duplicates leaves them unchanged', async () => {
  const { data, status } = await backend.db
    .from('accounts')
    .upsert(
      [
        { id: 1, visits: 7 },
        { id: 17, visits: 7 },
      ],
      { ignoreDuplicates: true },
    )
    .select('id,visits')
  expect(data).toEqual([{ id: 17, visits: 7 }])
  expect(status).toBe(201)
})

test('an update changes only the matching rows', async () => {
  const { data, error, status, count } = await backend.db
    .from('accounts')
    .update({ visits: 5 }, { count: 'exact' })
    .eq('id', 1)
    .select('id,visits')
  expect(error).toBeNull()
  expect({ data, status, count }).toEqual({ data: [{ id: 1, visits: 5 }], status: 200, count: 1 })
  const none = await backend.db.from('accounts').update({ visits: 5 }).eq('id', 999)
  expect(none).toMatchObject({ data: null, status: 204 })
  const nothing = await backend.db.from('accounts').update({}).eq('id', 1).select()
  expect(nothing).toMatchObject({ data: [], error: null })
})

test('a delete with select returns the deleted rows', async () => {
  await backend.db.from('accounts').insert([{ id: 20 }, { id: 21 }])
  const { data, error } = await backend.db
    .from('accounts')
    .delete()
    .or('id.eq.20,id.eq.21')
    .order('id', { ascending: false })
    .select('id')
  expect(error).toBeNull()
  expect(data).toEqual([{ id: 21 }, { id: 20 }])
})

test('a write with single() is rolled back if it affects more than one row', async () => {
  const { error, status } = await backend.db
    .from('accounts')
    .update({ visits: 9 })
    .gt('id', 0)
    .select('id')
    .single()
  expect(status).toBe(406)
  expect(error).toEqual({
    code: 'PGRST116',
    message: 'Cannot coerce the result to a single JSON object',
    details: 'The result contains 2 rows',
    hint: null,
  })
  const { count } = await backend.db
    .from('accounts')
    .select('*', { count: 'exact', head: true })
    .eq('visits', 9)
  expect(count).toBe(0)
})

test('maxAffected rolls back a write that affects more rows', async () => {
  const { error } = await visitAllAtMost(1)
  expect(error).toMatchObject({ code: 'PGRST124', details: 'The query affects 2 rows' })
  const { count } = await backend.db
    .from('accounts')
    .select('*', { count: 'exact', head: true })
    .eq('visits', 9)
  expect(count).toBe(0)
  const allowed = await visitAllAtMost(2)
  expect(allowed.error).toBeNull()
})
