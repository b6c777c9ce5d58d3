import { expect, test } from 'vitest'
import { ServiceError } from '#http/service-error.ts'
import { parseQueryString } from './parse-query-string.ts'

const parse = (text: string) => parseQueryString(text, false)

test('requests that differ only in values have the same shape', () => {
  const one = parse('id=eq.1&name=like.a*&or=(x.in.(1,2),y.cs.{a})&offset=3')
  const other = parse('id=eq.77&name=like.*zz&or=(x.in.(9),y.cs.{b,c})&offset=40')
  expect(one.shape).toBe(other.shape)
  expect(other.values).toEqual(['77', '%zz', '{"9"}', '{b,c}', '40'])
})

test.each([
  ['id=eq.1', 'id=neq.1'],
  ['id=eq.1', 'id=not.eq.1'],
  ['id=eq.1', 'id=eq(any).{1}'],
  ['id=is.null', 'id=is.true'],
  ['a=fts.x', 'a=fts(english).x'],
  ['limit=1', 'limit=2'],
  ['limit=1', 'limit=1&offset=1'],
  ['select=a', 'select=b'],
  ['select=a->b', 'select=a->>b'],
  ['select=a->1', 'select=a->"1"'],
  ['select=x(a)', 'select=x!inner(a)'],
  ['order=a', 'order=a.desc'],
  ['x.a=eq.1', 'x=eq.1'],
])('%s and %s have different shapes', (one, other) => {
  expect(parse(one).shape).not.toBe(parse(other).shape)
})

test('nested embeds, aliases, hints, joins, casts and aggregates are parsed', () => {
  const [column, embed] = parse(
    'select=n:a->b->>c::text,who:users!fk!inner(id,...team(name.max()::text))',
  ).select
  expect(column).toEqual({
    kind: 'column',
    field: {
      name: 'a',
      path: [
        { arrow: '->', key: 'b', isIndex: false },
        { arrow: '->>', key: 'c', isIndex: false },
      ],
    },
    cast: 'text',
    aggregate: null,
    aggregateCast: null,
    alias: 'n',
  })
  expect(embed).toMatchObject({
    kind: 'embed',
    relation: 'users',
    alias: 'who',
    hint: 'fk',
    join: 'inner',
    spread: false,
    items: [
      { field: { name: 'id' } },
      {
        kind: 'embed',
        relation: 'team',
        spread: true,
        items: [{ aggregate: 'max', aggregateCast: 'text' }],
      },
    ],
  })
})

test.each([
  ['id=in.("a,b","c""d")', undefined],
  ['id=in.("a,b","c\\"d",e f)', '{"a,b","c\\"d","e f"}'],
  ['id=in.()', '{}'],
  ['id=in.("")', '{""}'],
  ['id=in.(a%5Cb)', '{"a\\\\b"}'],
])('the list %s becomes the array %s', (text, array) => {
  if (array !== undefined) expect(parse(text).values).toEqual([array])
  else expect(parse(text).values[0]).toContain('a,b')
})

test('escapes and plus signs are decoded, and invalid escapes are kept', () => {
  expect(parse('a=eq.x+y%20z%2B').values).toEqual(['x y z+'])
  expect(parse('a=eq.100%').values).toEqual(['100%'])
  expect(parse('a=eq.%E0%A4').values).toEqual(['\uFFFD'])
})

test('dashes are part of names, arrows are not', () => {
  const [column] = parse('select=a-b->c-d').select
  expect(column).toMatchObject({ field: { name: 'a-b', path: [{ key: 'c-d' }] } })
})

test('for a function, a parameter without an operator is an argument', () => {
  const query = parseQueryString('a=1&b=eq.2&c=not.in.(3)&d=like', true)
  expect(query.params.map(({ name, value }) => [name, query.values[value]])).toEqual([
    ['a', '1'],
    ['d', 'like'],
  ])
  expect(query.filters.map(({ what }) => what.field.name)).toEqual(['b', 'c'])
})

test.each([
  'select=a(',
  'select=a,,b',
  'select="a',
  'or=(a.eq.1',
  'or=a.eq.1',
  'a=eq(some).1',
  'order=a.desc.desc',
  'columns=',
  'a..b=eq.1',
  'select=a::',
  'select=a.sum(',
  'on_conflict=,',
])('%s is refused as a bad request', (text) => {
  try {
    parse(text)
    expect.unreachable()
  } catch (error) {
    expect(error).toBeInstanceOf(ServiceError)
    expect(error).toMatchObject({ status: 400, code: 'PGRST100' })
  }
})
