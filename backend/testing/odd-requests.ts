// Makes requests nobody should send: from valid ones with parts swapped, doubled, cut and replaced by what breaks
// parsers. The same seed makes the same requests.

export type OddRequest = {
  method: string
  path: string
  headers: Record<string, string>
  body: string | undefined
}

/** @returns numbers from 0 up to 1, the same for the same seed (mulberry32) */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const TABLES = [
  'films',
  'films',
  'films',
  'films',
  'directors',
  'roles',
  'actors',
  'film_list',
  'tickets',
  'Odd%2C%20names',
  'keyless',
  'guarded',
  'accounts',
  'film_count',
  'nothing',
  '%00',
  '..',
  "x';--",
]
const FUNCTIONS = [
  'add_them',
  'say_hello',
  'films_of',
  'pairs',
  'one_film',
  'count_all',
  'sum_array',
  'echo_json',
  'echo_text',
  'film_titles',
  'overloaded',
  'twins',
  'two_numbers',
  'do_nothing',
  'color_films',
  'nothing',
  '"',
]
const COLUMNS = [
  'id',
  'id',
  'id',
  'title',
  'title',
  'name',
  'year',
  'rating',
  'tags',
  'facts',
  'notes',
  'runs',
  'words',
  'mood',
  'released',
  'day',
  'director_id',
  'is_old',
  'name',
  'part',
  'film_id',
  'price',
  '"the id"',
  '*',
  'select',
  'ünï-çødé',
  'oid',
  'ctid',
  'tableoid',
  'nothing',
  '"a\\"b"',
  "it's",
  '1',
  '$1',
  '',
]
const PATHS = [
  '',
  '',
  '',
  '->a',
  '->>kind',
  '->a->b->0',
  '->-1',
  '->>99999999999',
  "->'x'",
  '->"q\\"q"',
  '->',
  '->>',
  '->a->>',
  "->>\\'",
]
const EMBEDS = [
  'actors',
  'directors',
  'directors!director_id',
  'roles',
  'film_details',
  'films',
  'studios',
  'color_films',
  'main_director',
  'directors!films_written_by',
  'nothing',
  'a:actors',
  '...actors',
  '...film_details',
  'count',
]
const OPERATORS = [
  'eq',
  'neq',
  'gt',
  'gte',
  'lt',
  'lte',
  'like',
  'ilike',
  'match',
  'imatch',
  'in',
  'is',
  'isdistinct',
  'cs',
  'cd',
  'ov',
  'sl',
  'sr',
  'nxl',
  'nxr',
  'adj',
  'fts',
  'plfts(english)',
  'phfts',
  'wfts(simple)',
  'eq(any)',
  'like(all)',
  'not.eq',
  'not.in',
  'not.is',
  'noop',
  'fts(;)',
  'eq(',
  'not.not.eq',
]
const VALUES = [
  '1',
  '0',
  '-1',
  'null',
  'NULL',
  'true',
  'unknown',
  '(1,2)',
  '()',
  '("a","b,c")',
  '{a,b}',
  '{',
  '{"a',
  '[1,5)',
  '[1,',
  '{"a":1}',
  '*x*',
  '%',
  '%00',
  '%FF',
  '%E0%A4',
  '%',
  '\\',
  '\\\\',
  "'",
  "''; drop table films; --",
  '"',
  '""',
  '1e400',
  '99999999999999999999',
  'NaN',
  'infinity',
  '2020-01-01',
  '12:00',
  'ä',
  '😀',
  '\u0000',
  '$1',
  '$$',
  '/*',
  '--',
  ';',
  '(',
  ')',
  ',',
  '.',
  ':',
  '::text',
  '(((',
  'a'.repeat(300),
  '',
  ' ',
  '+',
  '&',
  '=',
  'eq.1',
  '%2525',
  'cat & dog',
  '!',
  'a & | b',
  '.*',
  '(a+)+$',
  '[',
  '\\1',
]
const CASTS = [
  '',
  '',
  '',
  '',
  '::text',
  '::int',
  '::jsonb',
  '::text[]',
  '::nothing',
  '::double precision',
  '::"text"',
  "::text'",
  '::$$',
  '::int4;',
  '::regclass',
]
const AGGREGATES = [
  '',
  '',
  '',
  '',
  '.sum()',
  '.count()',
  '.max()',
  '.avg()::text',
  '.nothing()',
  '.sum(',
]
const TYPES = [
  'application/json',
  'text/csv',
  'application/x-www-form-urlencoded',
  'text/plain',
  'application/octet-stream',
  'text/xml',
  'image/png',
  '',
  ';;;',
  'application/json; charset=utf-8',
]
const ACCEPTS = [
  'application/json',
  '*/*',
  'text/csv',
  'application/vnd.pgrst.object+json',
  'application/vnd.pgrst.array+json;nulls=stripped',
  'text/plain',
  'application/octet-stream',
  'application/vnd.pgrst.plan+json; for="application/json"; options=analyze|verbose',
  'application/vnd.pgrst.plan+text; options=nothing',
  'image/png',
  ',,,;;;',
  'text/*;q=a',
  'application/openapi+json',
]
const PREFERENCES = [
  'return=representation',
  'return=minimal',
  'return=headers-only',
  'resolution=merge-duplicates',
  'resolution=ignore-duplicates',
  'count=exact',
  'count=planned',
  'count=estimated',
  'missing=default',
  'handling=strict',
  'max-affected=1',
  'max-affected=-1',
  'max-affected=x',
  'timezone=Asia/Tokyo',
  "timezone='",
  'tx=rollback',
  'nothing',
  '=',
  ',,',
]
const BODIES = [
  '',
  '{}',
  '[]',
  'null',
  '1',
  '"x"',
  '[1,2]',
  '[[]]',
  '[{}]',
  '{"id":1}',
  '{"id":"x"}',
  '[{"id":1},{"name":2}]',
  '{"id":{"a":[]}}',
  '{"":1}',
  '{"id":1,"id":2}',
  '{"a":1,"b":2}',
  '{"name":"x"}',
  '{"numbers":[1,2]}',
  '{"numbers":"x"}',
  '{"__proto__":{"id":1}}',
  '{"constructor":1}',
  '{',
  '{"id":1',
  '\u0000',
  '{"title":"\\u0000"}',
  '{"title":"\\ud800"}',
  '{"id":1e999}',
  '{"id":99999999999999999999999}',
  `${'['.repeat(5000)}${']'.repeat(5000)}`,
  `{"facts":${'['.repeat(3000)}${']'.repeat(3000)}}`,
  'id,title\n1,a\n2',
  'id,title\n1,"a',
  'id\n\n\n',
  '"',
  'id=1&title=x',
  '&&&===',
  '%',
  '\uFEFF{}',
  "{'id':1}",
  'id,id\n1,2',
]

export class OddRequests {
  private readonly random: () => number

  constructor(seed: number) {
    this.random = randomNumbers(seed)
  }

  next(): OddRequest {
    const isFunction = this.chance(0.2)
    const target = isFunction ? `/rpc/${this.one(FUNCTIONS)}` : `/${this.one(TABLES)}`
    const method = this.one([
      'GET',
      'GET',
      'GET',
      'POST',
      'PATCH',
      'DELETE',
      'PUT',
      'HEAD',
      ...(this.chance(0.05) ? ['BREW'] : []),
    ])
    const pairs = Array.from({ length: Math.floor(this.random() * 5) }, () => this.pair())
    const query = this.spoil(pairs.join('&'))
    const headers: Record<string, string> = {
      'content-type': this.chance(0.7) ? 'application/json' : this.one(TYPES),
    }
    if (this.chance(0.4)) headers.accept = this.one(ACCEPTS)
    if (this.chance(0.5)) headers.prefer = [this.one(PREFERENCES), this.one(PREFERENCES)].join(', ')
    if (this.chance(0.1))
      headers.range = this.one(['0-1', '5-2', '-', '-5', 'a-b', '1-', '999999999999999999-'])
    if (this.chance(0.05))
      headers[method === 'GET' ? 'accept-profile' : 'content-profile'] = this.one([
        'public',
        'auth',
        "'",
        '',
      ])
    const path = this.chance(0.02)
      ? this.one(['', '/', '//', '/a/b/c', '/rpc', '/rpc/', '/%'])
      : target
    const body = method === 'GET' || method === 'HEAD' ? undefined : this.spoil(this.one(BODIES))
    return { method, path: `${path}${query === '' ? '' : `?${query}`}`, headers, body }
  }

  private pair(): string {
    const roll = this.random()
    if (roll < 0.3) return `select=${this.items(0)}`
    if (roll < 0.6)
      return `${this.place()}${this.field()}=${this.one(OPERATORS)}.${this.one(VALUES)}`
    if (roll < 0.7)
      return `${this.place()}${this.one(['or', 'and', 'not.or', 'not.and'])}=${this.tree(0)}`
    if (roll < 0.8) return `${this.place()}order=${this.order()}`
    if (roll < 0.86)
      return `${this.place()}${this.one(['limit', 'offset'])}=${this.one(['0', '1', '2', '-1', '9999999999999999999', 'x', '', '1.5', '1e3'])}`
    if (roll < 0.9) return `columns=${this.one(COLUMNS)},${this.one(COLUMNS)}`
    if (roll < 0.93) return `on_conflict=${this.one(COLUMNS)}`
    return `${this.one([...COLUMNS, 'a', 'b', 'numbers', 'director', 'up_to'])}=${this.one(VALUES)}`
  }

  private items(depth: number): string {
    const count = 1 + Math.floor(this.random() * 3)
    return Array.from({ length: count }, () => {
      if (depth < 3 && this.chance(0.3)) {
        return `${this.one(EMBEDS)}${this.one(['', '', '!inner', '!left', '!nothing'])}(${this.items(depth + 1)})`
      }
      return `${this.one(['', '', '', 'x:', '"y z":', ':'])}${this.field()}${this.one(CASTS)}${this.one(AGGREGATES)}`
    }).join(',')
  }

  private tree(depth: number): string {
    const count = 1 + Math.floor(this.random() * 2)
    const branches = Array.from({ length: count }, () =>
      depth < 3 && this.chance(0.3)
        ? `${this.one(['and', 'or', 'not.and'])}${this.tree(depth + 1)}`
        : `${this.field()}.${this.one(OPERATORS)}.${this.one(VALUES)}`,
    )
    return `(${branches.join(',')})`
  }

  private order(): string {
    return `${this.chance(0.2) ? `${this.one(EMBEDS)}(${this.field()})` : this.field()}${this.one(['', '.asc', '.desc', '.up', '.desc.nullslast', '.nullsfirst', '.asc.asc'])}`
  }

  private place(): string {
    return this.chance(0.2) ? `${this.one(EMBEDS)}.` : ''
  }

  private field(): string {
    return this.one(COLUMNS) + this.one(PATHS)
  }

  /** Sometimes cuts, doubles or replaces a piece of the text. */
  private spoil(text: string): string {
    if (text === '' || this.chance(0.6)) return text
    const at = Math.floor(this.random() * text.length)
    const roll = this.random()
    if (roll < 0.3) return text.slice(0, at) + text.slice(at + 1)
    if (roll < 0.6) return text.slice(0, at) + this.one(VALUES) + text.slice(at)
    if (roll < 0.8) return text.slice(0, at)
    const code = Math.floor(this.random() * 0x2fff)
    return text.slice(0, at) + String.fromCharCode(code) + text.slice(at + 1)
  }

  private one<T>(list: readonly T[]): T {
    return list[Math.floor(this.random() * list.length)] as T
  }

  private chance(probability: number): boolean {
    return this.random() < probability
  }
}
