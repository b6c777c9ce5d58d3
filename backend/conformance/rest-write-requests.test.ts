// Writes as HTTP says them: PUT, headers, CSV and forms, and requests that are rejected.
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
const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  backend.send(path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { ...json, ...headers },
  })

test('PUT inserts or replaces exactly the row given in the URL', async () => {
  const put = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    backend.send(path, {
      method: 'PUT',
      body: JSON.stringify(body),
      headers: { ...json, prefer: 'return=representation', ...headers },
    })
  const made = await put('/accounts?id=eq.30&select=id,secret', { id: 30, secret: 'a' })
  expect([made.status, await made.json()]).toEqual([201, [{ id: 30, secret: 'a' }]])
  const replaced = await put('/accounts?id=eq.30&select=id,secret', { id: 30, secret: 'b' })
  expect([replaced.status, await replaced.json()]).toEqual([200, [{ id: 30, secret: 'b' }]])
  const mismatch = await put('/accounts?id=eq.31', { id: 30, secret: 'c' })
  expect([mismatch.status, await mismatch.json()]).toMatchObject([400, { code: 'PGRST115' }])
  for (const body of ['[]', '{}', '{"mail":"x@y"}']) {
    const keyless = await backend.send('/accounts?id=eq.20', { method: 'PUT', body, headers: json })
    expect([keyless.status, await keyless.json()]).toMatchObject([400, { code: 'PGRST115' }])
  }
  const loose = await put('/accounts?secret=eq.b', { id: 30 })
  expect([loose.status, await loose.json()]).toMatchObject([405, { code: 'PGRST105' }])
  const limited = await put('/accounts?id=eq.30&limit=1', { id: 30 })
  expect(await limited.json()).toMatchObject({ code: 'PGRST114' })
  const quiet = await put('/accounts?id=eq.30', { id: 30 }, { prefer: 'return=minimal' })
  expect(quiet.status).toBe(204)
})

test('headers-only returns the Location of the new row', async () => {
  const response = await post('/accounts', { id: 40 }, { prefer: 'return=headers-only' })
  expect(response.status).toBe(201)
  expect(response.headers.get('location')).toBe('/accounts?id=eq.40')
  expect(response.headers.get('preference-applied')).toBe('return=headers-only')
  expect(await response.text()).toBe('')
})

test('CSV and form bodies insert rows', async () => {
  const csv = await backend.send('/accounts?select=id,mail,secret', {
    method: 'POST',
    headers: { 'content-type': 'text/csv', prefer: 'return=representation' },
    body: 'id,mail,secret\r\n50,"a,""b""@c",NULL\n51,d@e,\n',
  })
  expect(await csv.json()).toEqual([
    { id: 50, mail: 'a,"b"@c', secret: null },
    { id: 51, mail: 'd@e', secret: '' },
  ])
  const form = await backend.send('/accounts?select=id,mail', {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      prefer: 'return=representation',
    },
    body: 'id=52&mail=f%40g',
  })
  expect(await form.json()).toEqual([{ id: 52, mail: 'f@g' }])
})

test('rows with different keys are rejected unless columns= is given', async () => {
  const response = await post('/accounts', [{ id: 60 }, { id: 61, secret: 'x' }])
  expect([response.status, await response.json()]).toEqual([
    400,
    { code: 'PGRST102', message: 'All object keys must match', details: null, hint: null },
  ])
  const chosen = await post('/accounts?columns=id', [{ id: 60 }, { id: 61, secret: 'x' }], {
    prefer: 'return=representation',
  })
  expect(await chosen.json()).toMatchObject([
    { id: 60, secret: 'hush' },
    { id: 61, secret: 'hush' },
  ])
})

test('an unknown column, invalid JSON and a constraint violation are rejected', async () => {
  const unknown = await backend.db.from('accounts').insert({ id: 70, colour: 1 })
  expect(unknown).toMatchObject({
    status: 400,
    error: {
      code: 'PGRST204',
      message: "Could not find the 'colour' column of 'accounts' in the schema cache",
    },
  })
  const broken = await backend.send('/accounts', { method: 'POST', body: '{"id":', headers: json })
  expect(await broken.json()).toMatchObject({ code: 'PGRST102', message: 'Empty or invalid json' })
  expect(await backend.db.from('accounts').insert({ id: 1 })).toMatchObject({
    status: 409,
    error: { code: '23505' },
  })
  expect(
    await backend.db.from('films').insert({ id: 71, title: 'x', director_id: 99 }),
  ).toMatchObject({ status: 409, error: { code: '23503' } })
  expect(await backend.db.from('films').insert({ id: 72 })).toMatchObject({
    status: 400,
    error: { code: '23502' },
  })
  expect(await backend.db.from('accounts').insert({ id: 73, short: 'too long' })).toMatchObject({
    status: 400,
    error: { code: '22001' },
  })
})

test('an empty list inserts nothing, an empty object inserts the defaults', async () => {
  expect(await backend.db.from('accounts').insert([]).select()).toMatchObject({
    data: [],
    status: 201,
  })
  const { data, error } = await backend.db.from('tickets').insert({}).select('price').single()
  expect(error).toBeNull()
  expect(data).toEqual({ price: 9.5 })
})

test('an update or delete without a filter is rejected, as on hosted Supabase', async () => {
  for (const method of ['PATCH', 'DELETE']) {
    const response = await backend.send('/keyless', { method, body: '{"number":1}', headers: json })
    const verb = method === 'PATCH' ? 'UPDATE' : 'DELETE'
    expect([response.status, await response.json()]).toEqual([
      400,
      { code: '21000', message: `${verb} requires a WHERE clause`, details: null, hint: null },
    ])
  }
  expect((await backend.db.from('keyless').select()).data).toHaveLength(2)
})
