// Third stage: turns the plan into one statement. Its single row has the response body, built by Postgres, and the data
// for the response headers. Values are parameters; names are quoted.
import { RESPONSE_TOO_LARGE } from '#rest/errors.ts'
import { LIMITS } from '#rest/limits.ts'
import { SCALAR, WRITTEN_ROWS, type Plan } from '#rest/plan/plan-types.ts'
import type { BodyForm } from '#rest/request/media-types.ts'
import type { ValueIndex } from '#rest/request/request-types.ts'
import { callSql } from './call-sql.ts'
import { matchingRowsSql } from './count-sql.ts'
import { readSql } from './read-sql.ts'
import { boundedSql } from './select-sql.ts'
import { quoteText } from './sql-names.ts'
import { StatementParameters } from './statement-parameters.ts'
import { UPDATED_ROWS, writeSql } from './write-sql.ts'

export type BuiltStatement = {
  text: string
  /** For each `$n`, the index of its value among the request's values. */
  order: ValueIndex[]
}

export function buildSql(plan: Plan): BuiltStatement {
  const parameters = new StatementParameters()
  const text = mainSql(plan, parameters)
  return { text: plan.explain ? explainSql(plan.explain) + text : text, order: parameters.order }
}

function mainSql(given: Plan, parameters: StatementParameters): string {
  const ctes: string[] = []
  const plan = callOnce(given, parameters, ctes)
  const { write, read, form } = plan
  if (write) ctes.push(`${WRITTEN_ROWS} as (${writeSql(write, parameters)})`)
  const showsRows = plan.withBody || write === null
  const rows = showsRows ? readSql(read, parameters) : `select * from ${WRITTEN_ROWS}`
  // CSV reads the rows twice: for the header and for the lines.
  const fromCte = form.kind === 'csv' || plan.location.length > 0
  if (fromCte) ctes.push(`shown as materialized (${rows})`)
  const columns = [
    `${plan.withBody ? bodySql(given) : "''"} as body`,
    `count(*) as shown`,
    `${totalSql(plan, parameters)} as total`,
    `nullif(current_setting('response.headers', true), '') as headers`,
    `nullif(current_setting('response.status', true), '') as status`,
  ]
  if (write?.kind === 'insert' && write.conflict?.merge) {
    columns.push(
      `coalesce(nullif(current_setting('${UPDATED_ROWS}', true), ''), '0')::int as updated`,
    )
  }
  if (plan.location.length > 0)
    columns.push(`case when count(*) = 1 then (${locationSql(plan.location)}) end as location`)
  const checks = checksSql(plan, parameters)
  if (checks.length > 0) columns.push(`(${checks.join(' and ')}) as accepted`)
  const head = ctes.length > 0 ? `with ${ctes.join(', ')} ` : ''
  return `${head}select ${columns.join(', ')} from ${fromCte ? 'shown as r' : `(${rows}) as r`}`
}

/** Counting reads the source a second time, but a function must be called only once. */
function callOnce(plan: Plan, parameters: StatementParameters, ctes: string[]): Plan {
  const { source } = plan.read
  if (source.kind !== 'call' || !isCounted(plan)) return plan
  ctes.push(`called as materialized (select c.* from ${callSql(source.call, 'c', parameters)})`)
  return { ...plan, read: { ...plan.read, source: { kind: 'part', name: 'called' } } }
}

function isCounted({ counted, read }: Plan): boolean {
  return counted && (read.limit !== null || read.offset !== null)
}

/** The number of matching rows. Counted separately only if more rows may match than are returned. */
function totalSql(plan: Plan, parameters: StatementParameters): string {
  const { counted, read, write } = plan
  if (!counted || write) return 'null::bigint'
  if (!isCounted(plan)) return 'count(*)'
  const all = `(select count(*) from (${matchingRowsSql(read, parameters)}) as m)`
  const { limit, offset } = read
  return limit !== null && offset === null
    ? `case when count(*) < ${limit} then count(*) else ${all} end`
    : all
}

function bodySql({ form, read }: Plan): string {
  const returns = read.source.kind === 'call' ? read.source.call.routine.returns : null
  const isScalar = returns !== null && returns.kind !== 'row'
  // `r.*` rather than `r`, because a column could be named r.
  const row = isScalar ? `r.${SCALAR}` : 'r.*'
  const isOne = form.kind === 'object' || (returns !== null && !returns.isSet)
  const { size, text } = formSql(form, row, isOne)
  const isBounded = `${boundedSql(read, 'true')} and coalesce(${size}, 0) <= ${LIMITS.responseBytes}`
  return `case when ${isBounded} then ${text} else rest.refuse_if(true, '${RESPONSE_TOO_LARGE}', 0)::text end`
}

/** The body and its size. Postgres computes an aggregate that occurs twice only once. */
function formSql(form: BodyForm, row: string, isOne: boolean): { size: string; text: string } {
  const measured = (text: string) => ({ size: `octet_length(${text})`, text })
  switch (form.kind) {
    case 'array':
    case 'object': {
      const list = form.stripNulls ? `json_strip_nulls(json_agg(${row}))` : `json_agg(${row})`
      const text = isOne ? `coalesce((${list}->0)::text, 'null')` : `coalesce(${list}::text, '[]')`
      return { size: `pg_column_size(json_agg(${row}))`, text }
    }
    case 'csv':
      return measured(
        `(select coalesce(string_agg(k, ','), '') from (select json_object_keys(row_to_json(h.*)) as k from (select * from shown limit 1) as h) as keys) || E'\\n' || coalesce(string_agg(substring((r.*)::text, 2, length((r.*)::text) - 2), E'\\n'), '')`,
      )
    case 'text':
      return measured(`coalesce(string_agg(${row}::text, ''), '')`)
    case 'xml':
      return measured(`coalesce(xmlagg(${row})::text, '')`)
    case 'binary':
      return measured(`coalesce(encode(string_agg(${row}::bytea, ''), 'base64'), '')`)
  }
}

/** The key of the only row, as pairs for the Location header's filters. */
function locationSql(key: string[]): string {
  const names = key.map(quoteText).join(', ')
  return `select json_agg(json_build_array(key, value))::text from (select row_to_json(f.*) as row from shown as f) as first, json_each_text(row) where key in (${names})`
}

// Evaluated before COMMIT, so that a rejected result leaves nothing behind.
function checksSql(
  { single, maxAffected, matchKey }: Plan,
  parameters: StatementParameters,
): string[] {
  const checks: string[] = []
  if (matchKey) checks.push(`rest.refuse_if(count(*) <> 1, 'PGRST115', count(*))`)
  if (single) checks.push(`rest.refuse_if(count(*) <> 1, 'PGRST116', count(*))`)
  if (maxAffected !== null) {
    checks.push(
      `rest.refuse_if(count(*) > ${parameters.for(maxAffected)}::bigint, 'PGRST124', count(*))`,
    )
  }
  return checks
}

function explainSql({ format, options }: NonNullable<Plan['explain']>): string {
  return `explain (${[...options, `format ${format}`].join(', ')}) `
}
