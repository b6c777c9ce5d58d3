// Third stage: the plan as one statement. Its single row holds the body, made by Postgres, and what the reply's
// headers are made of. Values are parameters; names went through quoting.
import { callSql, SCALAR } from './call-sql.ts'
import { computedColumnsRead } from './columns-read.ts'
import { matchingRowsSql } from './count-sql.ts'
import type { BodyForm } from './media-types.ts'
import { WRITTEN_ROWS, type Plan } from './plan-types.ts'
import type { ValueIndex } from './request-types.ts'
import { readSql } from './read-sql.ts'
import { quoteName, quoteText } from './sql-names.ts'
import { StatementParameters } from './statement-parameters.ts'
import { UPDATED_ROWS, writeSql } from './write-sql.ts'

export type BuiltStatement = {
  text: string
  /** For each `$n`, the place of its value among the request's values. */
  order: ValueIndex[]
}

export type BuiltQuery = {
  main: BuiltStatement
  /** Explained to guess how many rows match, when the client asked for a guess. */
  guess: BuiltStatement | null
}

export function buildSql(plan: Plan): BuiltQuery {
  const parameters = new StatementParameters()
  const text = mainSql(plan, parameters)
  return {
    main: { text: plan.explain ? explainSql(plan.explain) + text : text, order: parameters.order },
    guess:
      plan.write === null && (plan.count === 'planned' || plan.count === 'estimated')
        ? guessSql(plan)
        : null,
  }
}

function mainSql(given: Plan, parameters: StatementParameters): string {
  const ctes: string[] = []
  const plan = callOnce(given, parameters, ctes)
  const { write, read, form } = plan
  if (write) ctes.push(`${WRITTEN_ROWS} as (${writeSql(write, parameters)})`)
  const showsRows = plan.withBody || write === null
  const rows = showsRows ? readSql(read, parameters) : `select * from ${WRITTEN_ROWS}`
  // CSV reads the rows twice, for the header and for the lines.
  const fromCte = form.kind === 'csv' || plan.location.length > 0
  if (fromCte) ctes.push(`shown as materialized (${rows})`)
  const columns = [
    `${plan.withBody ? bodySql(given) : "''"} as body`,
    `count(r) as shown`,
    `${totalSql(plan, parameters)} as total`,
    `nullif(current_setting('response.headers', true), '') as headers`,
    `nullif(current_setting('response.status', true), '') as status`,
  ]
  if (write?.kind === 'insert' && write.conflict?.merge) {
    columns.push(
      `coalesce(nullif(current_setting('${UPDATED_ROWS}', true), ''), '0')::int as updated`,
    )
  }
  if (plan.location.length > 0) columns.push(`(${locationSql(plan.location)}) as location`)
  const refusals = refusalsSql(plan, parameters)
  if (refusals.length > 0) columns.push(`(${refusals.join(' and ')}) as stands`)
  const head = ctes.length > 0 ? `with ${ctes.join(', ')} ` : ''
  return `${head}select ${columns.join(', ')} from ${fromCte ? 'shown as r' : `(${rows}) as r`}`
}

/** Counting reads the source a second time; a function must not be called a second time for it. */
function callOnce(plan: Plan, parameters: StatementParameters, ctes: string[]): Plan {
  const { source } = plan.read
  if (source.kind !== 'call' || !isCounted(plan)) return plan
  const computed = computedColumnsRead(plan.read).map((name) => `, c.${quoteName(name)}`)
  ctes.push(
    `called as materialized (select c.*${computed.join('')} from ${callSql(source.call, 'c', parameters)})`,
  )
  return { ...plan, read: { ...plan.read, source: { kind: 'part', name: 'called' } } }
}

function isCounted({ count, read }: Plan): boolean {
  return (
    (count === 'exact' || count === 'estimated') && (read.limit !== null || read.offset !== null)
  )
}

/** All matching rows, when more may match than are shown. */
function totalSql(plan: Plan, parameters: StatementParameters): string {
  const { count, read, write } = plan
  if (count === null || count === 'planned' || write) return 'null::bigint'
  return isCounted(plan)
    ? `(select count(*) from (${matchingRowsSql(read, parameters)}) as m)`
    : 'count(r)'
}

function bodySql({ form, read }: Plan): string {
  const returns = read.source.kind === 'call' ? read.source.call.routine.returns : null
  const isScalar = returns !== null && returns.kind !== 'row'
  const row = isScalar ? `r.${SCALAR}` : 'r'
  const isOne = form.kind === 'object' || (returns !== null && !returns.isSet)
  return formSql(form, row, isOne)
}

function formSql(form: BodyForm, row: string, isOne: boolean): string {
  switch (form.kind) {
    case 'array':
    case 'object': {
      const list = form.stripNulls ? `json_strip_nulls(json_agg(${row}))` : `json_agg(${row})`
      return isOne ? `coalesce((${list}->0)::text, 'null')` : `coalesce(${list}::text, '[]')`
    }
    case 'csv':
      return `(select coalesce(string_agg(k, ','), '') from (select json_object_keys(row_to_json(h)) as k from (select * from shown limit 1) as h) as keys) || E'\\n' || coalesce(string_agg(substring(r::text, 2, length(r::text) - 2), E'\\n'), '')`
    case 'text':
      return `coalesce(string_agg(${row}::text, ''), '')`
    case 'xml':
      return `coalesce(xmlagg(${row})::text, '')`
    case 'binary':
      return `coalesce(encode(string_agg(${row}::bytea, ''), 'base64'), '')`
  }
}

/** The key of the first row as a query string's filters. */
function locationSql(key: string[]): string {
  const names = key.map(quoteText).join(', ')
  return `select json_agg(json_build_array(key, value))::text from (select row_to_json(f) as row from shown as f limit 1) as first, json_each_text(row) where key in (${names})`
}

// Runs before COMMIT, so a refused result leaves nothing behind.
function refusalsSql(
  { single, maxAffected, matchKey }: Plan,
  parameters: StatementParameters,
): string[] {
  const refusals: string[] = []
  if (matchKey) refusals.push(`rest.refuse_if(count(r) <> 1, 'PGRST115', count(r))`)
  if (single) refusals.push(`rest.refuse_if(count(r) <> 1, 'PGRST116', count(r))`)
  if (maxAffected !== null) {
    refusals.push(
      `rest.refuse_if(count(r) > ${parameters.for(maxAffected)}::bigint, 'PGRST124', count(r))`,
    )
  }
  return refusals
}

function guessSql({ read }: Plan): BuiltStatement {
  const parameters = new StatementParameters()
  const text = `explain (format json) ${matchingRowsSql(read, parameters)}`
  return { text, order: parameters.order }
}

function explainSql({ format, options }: NonNullable<Plan['explain']>): string {
  return `explain (${[...options, `format ${format}`].join(', ')}) `
}
