// Status and headers of responses and errors, as PostgREST sends them.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startRestBackend, type RestBackend } from './rest-backend.ts'

const SQL = `
  create view public.ticket_prices as select id, price from public.tickets;
  create view public.optional_actors as select a.id, a.name, s.id as studio_id from public.actors a left join public.studios s on false;
  create function public.fill_view() returns trigger language plpgsql as $$ begin
    insert into public.actors values (new.id, new.name); return new; end $$;
  create trigger fill instead of insert on public.optional_actors for each row execute function public.fill_view();
  create function public.raise_oddly() returns void language plpgsql as $$ begin
    raise sqlstate 'PGRST' using message = '{"code":"odd ✓","message":"Odd"}',
      detail = '{"status":402,"headers":{"Content-Type":"application/problem+json"}}';
  end $$;
  create function public.raise_with(headers json) returns void language plpgsql as $$ begin
    raise sqlstate 'PGRST' using message = '{"code":"odd","message":"Odd"}',
      detail = json_build_object('status', 402, 'headers', headers);
  end $$;
  create function public.answer_with(headers text) returns text language plpgsql as $$ begin
    perform set_config('response.headers', headers, true);
    return 'hello';
  end $$;
`

let backend: RestBackend
beforeAll(async () => {
  backend = await startRestBackend({ sql: SQL })
})
afterAll(() => backend.close())

function write(method: string, path: string, body: unknown, prefer?: string) {
  return backend.send(path, {
    method,
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...(prefer ? { prefer } : {}) },
  })
}

test.each([
  ['/nothing', 'PGRST205'],
  ['/films?id=eq.x', '22P02'],
  ['/films?id=what', 'PGRST100'],
  ['/rpc/refuse?code=P0001', 'P0001'],
  ['/rpc/raise_reply', '123'],
  ['/films?select=directors(id)', 'PGRST201'],
])('the error of %s is JSON in UTF-8 and names its code in Proxy-Status', async (path, code) => {
  const { headers } = await backend.send(path)
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(headers.get('proxy-status')).toBe(`PostgREST; error=${code}`)
})

test('headers that a function raises replace ours; a code that cannot be a header is left out', async () => {
  const { status, headers } = await backend.send('/rpc/raise_oddly')
  expect([status, headers.get('content-type'), headers.get('proxy-status')]).toEqual([
    402,
    'application/problem+json',
    null,
  ])
})

const ODD_HEADERS = [{ 'x\ny': '1' }, { x: 'a\r\nb' }, { x: '\u0001' }, { x: '\u007f' }, { é: 'x' }]

test.each(ODD_HEADERS)('the header %j cannot be sent, which an error says', async (header) => {
  const response = await write('POST', '/rpc/answer_with', { headers: JSON.stringify([header]) })
  expect([response.status, await response.json()]).toMatchObject([500, { code: 'PGRST111' }])
  const raised = await write('POST', '/rpc/raise_with', { headers: header })
  expect([raised.status, await raised.json()]).toMatchObject([500, { code: 'PGRST121' }])
})

test('headers of a function are sent as UTF-8, and do not change how a response is transferred', async () => {
  const headers = { 'x-word': 'café ☕', 'Content-Length': '2', 'Transfer-Encoding': 'chunked' }
  const list = Object.entries(headers).map(([name, value]) => ({ [name]: value }))
  for (const [response, body] of [
    [await write('POST', '/rpc/answer_with', { headers: JSON.stringify(list) }), 'hello'],
    [await write('POST', '/rpc/raise_with', { headers }), { code: 'odd' }],
  ] as const) {
    const word = response.headers.get('x-word') ?? ''
    expect(Buffer.from(word, 'latin1').toString()).toBe('café ☕')
    expect(await response.json()).toEqual(
      typeof body === 'string' ? body : expect.objectContaining(body),
    )
  }
})

test.each([204, 205, 304])('an error with status %i has no body', async (status) => {
  const response = await backend.send(`/rpc/refuse?code=PT${status}`)
  expect([response.status, await response.text()]).toEqual([status, ''])
})

test('the response to an offset past the last row has the number of rows', async () => {
  const response = await backend.send('/films?offset=15', { headers: { prefer: 'count=exact' } })
  expect([response.status, response.headers.get('content-range')]).toEqual([416, '*/5'])
})

test('an insert without a body in the response has no content type', async () => {
  for (const prefer of ['return=minimal', 'return=headers-only', undefined]) {
    const response = await write('POST', '/keyless', { letter: 'h' }, prefer)
    expect([response.status, response.headers.get('content-type')]).toEqual([201, null])
    expect(response.headers.get('content-length')).toBe('0')
    expect(await response.text()).toBe('')
  }
})

test.each([{}, [], [{}]])('an update with %j changes nothing and needs no filter', async (body) => {
  const before = await (await backend.send('/actors?order=id')).text()
  const quiet = await write('PATCH', '/actors', body)
  expect([quiet.status, quiet.headers.get('content-range')]).toEqual([204, '*/*'])
  const shown = await write('PATCH', '/actors', body, 'return=representation, count=exact')
  expect([shown.status, shown.headers.get('content-range'), await shown.json()]).toEqual([
    200,
    '*/0',
    [],
  ])
  expect(await (await backend.send('/actors?order=id')).text()).toBe(before)
})

test('an update with values still needs a filter', async () => {
  expect((await write('PATCH', '/actors', { name: 'All' })).status).toBe(400)
})

test('Location names the key of the only new row, also through a view', async () => {
  const row = { id: '00000000-0000-4000-8000-000000000001', price: 1 }
  const view = await write('POST', '/ticket_prices', row, 'return=headers-only')
  expect(view.headers.get('location')).toBe(`/ticket_prices?id=eq.${row.id}`)
  const many = await write(
    'POST',
    '/studios',
    [{ name: 'a' }, { name: 'b' }],
    'return=headers-only',
  )
  expect([many.status, many.headers.get('location')]).toEqual([201, null])
})

test('Location names all keys that a view shows, and those without a value', async () => {
  const made = await write(
    'POST',
    '/optional_actors',
    { id: 70, name: 'New' },
    'return=headers-only',
  )
  expect([made.status, made.headers.get('location')]).toEqual([
    201,
    '/optional_actors?id=eq.70&studio_id=is.null',
  ])
})
