// Generates random schemas, with names that collide with whatever they can, and reads of them, each with the SQL that must
// return the same rows. The same seed generates the same schemas.
import {
  FUZZED_SCHEMA,
  inSchema,
  namesFor,
  readsOfKey,
  readsOfRelation,
  sqlName,
  urlTable,
  type FuzzedRead,
  type Key,
  type Relation,
} from './catalog-reads.ts'
import { HOSTILE_NAMES } from './hostile-names.ts'
import { RandomChoice } from './random-choice.ts'

export type FuzzedCatalog = {
  sql: string
  reads: FuzzedRead[]
  /** Views that select from themselves. */
  endless: string[]
}

const TYPES = [
  'int',
  'text',
  'jsonb',
  'json',
  'numeric',
  'bool',
  'date',
  'text[]',
  'varchar(9)',
  'char(3)',
]
const VALUES: Record<string, string> = {
  int: '7',
  jsonb: `'{"r": [1, null]}'`,
  json: `'{"r": 1}'`,
  numeric: '1.50',
  bool: 'true',
  date: `'2020-02-29'`,
  'text[]': `'{a,"b c"}'`,
}

/** Names that in a query string are not parameters of a function. */
const RESERVED = HOSTILE_NAMES.filter((name) =>
  /^(select|columns|on_conflict|apikey)$|(^|\.)(order|limit|offset|and|or)$/.test(name),
)

export class CatalogFuzzer {
  private readonly random: RandomChoice
  private free: string[] = []
  private statements: string[] = []
  private domains: { name: string; base: string }[] = []
  private tables: Relation[] = []

  constructor(seed: number) {
    this.random = new RandomChoice(seed)
  }

  next(): FuzzedCatalog {
    this.free = this.random.shuffled(HOSTILE_NAMES)
    this.domains = []
    this.tables = []
    this.statements = [
      `drop schema if exists ${FUZZED_SCHEMA} cascade`,
      `create schema ${FUZZED_SCHEMA}`,
    ]
    this.random.times(3, () => this.domain())
    this.random.times(4, () => this.table())
    const views: Relation[] = []
    this.random.times(5, () => views.push(this.view([...this.tables, ...views])))
    const functions = this.random.times(3, () => this.rowFunction())
    this.random.times(2, () => this.computedField())
    this.random.times(2, () => this.oddFunction())
    const endless = this.random.times(1, () => this.endlessView())
    this.statements.push(
      `grant usage on schema ${FUZZED_SCHEMA} to anon`,
      `grant select on all tables in schema ${FUZZED_SCHEMA} to anon`,
    )
    return {
      sql: this.statements.join(';\n'),
      reads: [
        ...[...this.tables, ...views].flatMap((relation) => readsOfRelation(relation, this.random)),
        ...this.tables.flatMap((table) =>
          table.keys.flatMap((key) => readsOfKey(table, key, this.random)),
        ),
        ...functions,
      ],
      endless,
    }
  }

  private domain() {
    const known = this.random.chance(0.5) ? this.random.maybe(this.domains) : undefined
    const name = this.name()
    const type = this.random.one(['int', 'text', 'date'])
    this.statements.push(
      `create domain ${inSchema(name)} as ${known ? inSchema(known.name) : type}`,
    )
    this.domains.push({ name, base: known?.base ?? type })
  }

  private table() {
    const name = this.name()
    const own = namesFor(this.random, 2 + this.random.count(4))
    const [first = '', ...others] = own
    const columns = [
      { name: first, type: 'int' },
      ...others.map((column) => ({ name: column, type: this.type() })),
    ]
    const keys = this.tables
      .filter((parent) => parent.primaryKey !== null && this.random.chance(0.5))
      .map((parent): Key => {
        const [column = '', constraint = ''] = namesFor(this.random, 2, own)
        own.push(column, constraint)
        columns.push({ name: column, type: 'int' })
        return { name: constraint, column, parent }
      })
    const isJunction = keys.length > 1 && this.random.chance(0.5)
    const primaryKey = !isJunction && this.random.chance(0.8) ? first : null
    const parts = columns.map((column) => `${sqlName(column.name)} ${column.type}`)
    if (primaryKey !== null) parts.push(`primary key (${sqlName(primaryKey)})`)
    if (isJunction) parts.push(`primary key (${keys.map((key) => sqlName(key.column)).join(', ')})`)
    for (const key of keys)
      parts.push(
        `constraint ${sqlName(key.name)} foreign key (${sqlName(key.column)}) references ${inSchema(key.parent.name)}`,
      )
    this.statements.push(`create table ${inSchema(name)} (${parts.join(', ')})`)
    for (const row of [1, 2, 3]) {
      const values = columns.map((column, index) => {
        const isKey = index === 0 || keys.some((key) => key.column === column.name)
        return isKey ? String(row) : this.value(column.type)
      })
      this.statements.push(`insert into ${inSchema(name)} values (${values.join(', ')})`)
    }
    this.tables.push({ name, columns, primaryKey, keys })
  }

  /** Shows some columns of another relation, renamed or more than once. */
  private view(relations: Relation[]): Relation {
    const base = this.random.one(relations)
    const name = this.name()
    const shown = base.columns.flatMap((column) =>
      this.random.chance(0.8) ? (this.random.chance(0.2) ? [column, column] : [column]) : [],
    )
    const chosen = shown.length > 0 ? shown : base.columns.slice(0, 1)
    const names = namesFor(this.random, chosen.length)
    const list = chosen.map(
      (column, index) => `${sqlName(column.name)} as ${sqlName(names[index] ?? '')}`,
    )
    const kind = this.random.chance(0.2) ? 'materialized view' : 'view'
    this.statements.push(
      `create ${kind} ${inSchema(name)} as select ${list.join(', ')} from ${inSchema(base.name)}`,
    )
    const columns = chosen.map(({ type }, index) => ({ name: names[index] ?? '', type }))
    return { name, columns, primaryKey: null, keys: [] }
  }

  private endlessView(): string {
    const name = this.name()
    const view = inSchema(name)
    this.statements.push(
      `create view ${view} as select 1 as ${sqlName(this.name())}`,
      `create or replace view ${view} as select * from ${view}`,
    )
    return urlTable(name)
  }

  private rowFunction(): FuzzedRead {
    const { name: table } = this.random.one(this.tables)
    const name = this.name()
    const [parameter = ''] = namesFor(this.random, 1, RESERVED)
    this.statements.push(
      `create function ${inSchema(name)}(${sqlName(parameter)} text) returns setof ${inSchema(table)} language sql stable as $fuzz$ select * from ${inSchema(table)} $fuzz$`,
    )
    return {
      path: `/rpc/${encodeURIComponent(name)}?${encodeURIComponent(parameter)}=x`,
      sql: `select * from ${inSchema(table)}`,
    }
  }

  private computedField() {
    const { name: table } = this.random.one(this.tables)
    this.statements.push(
      `create function ${inSchema(this.name())}(${inSchema(table)}) returns text language sql stable as $fuzz$ select 'x' $fuzz$`,
    )
  }

  private oddFunction() {
    const [parameters, returns] = this.random.one([
      ['int, int', 'int'],
      ['json', 'json'],
      ['variadic numbers int[]', 'int'],
      ['out low int, out high text', 'record'],
      ['', 'record'],
      ['inout x int', 'int'],
      ['one char, two bit', 'void'],
    ] as const)
    const body =
      returns === 'record'
        ? `select 1, 'x'::text`
        : `select null::${returns === 'void' ? 'int' : returns}`
    this.statements.push(
      `create function ${inSchema(this.name())}(${parameters}) returns ${returns} language sql stable as $fuzz$ ${body} $fuzz$`,
    )
  }

  private type(): string {
    const domain = this.random.chance(0.2) ? this.random.maybe(this.domains) : undefined
    return domain ? inSchema(domain.name) : this.random.one(TYPES)
  }

  private value(type: string): string {
    if (this.random.chance(0.3)) return 'null'
    const base = this.domains.find((domain) => inSchema(domain.name) === type)?.base ?? type
    return VALUES[base] ?? `'${this.random.one(['a', 'b"c', '\\', ''])}'`
  }

  /** A name for a table, domain or function; each is used once. */
  private name(): string {
    return this.free.pop() ?? `n${this.random.number()}`
  }
}
