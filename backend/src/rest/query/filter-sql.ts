// SQL for filters, logic trees and JSON paths.
import type { PlannedCondition, PlannedField } from '#rest/plan/plan-types.ts'
import type { Operation } from '#rest/request/request-types.ts'
import { quoteName, quoteTable, quoteText } from './sql-names.ts'
import type { StatementParameters } from './statement-parameters.ts'

const OPERATORS: Record<string, string> = {
  eq: '=',
  neq: '<>',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
  like: 'like',
  ilike: 'ilike',
  match: '~',
  imatch: '~*',
  cs: '@>',
  cd: '<@',
  ov: '&&',
  sl: '<<',
  sr: '>>',
  nxl: '&>',
  nxr: '&<',
  adj: '-|-',
}
const SEARCHES: Record<string, string> = {
  fts: 'to_tsquery',
  plfts: 'plainto_tsquery',
  phfts: 'phraseto_tsquery',
  wfts: 'websearch_to_tsquery',
}
const STATES = {
  null: 'null',
  not_null: 'not null',
  true: 'true',
  false: 'false',
  unknown: 'unknown',
}

/** @param embedIsNull builds a null filter on an embedded resource, which differs between reading and counting */
export function conditionSql(
  condition: PlannedCondition,
  alias: string,
  parameters: StatementParameters,
  embedIsNull: (condition: PlannedCondition & { kind: 'embedIsNull' }) => string,
): string {
  if (condition.kind === 'embedIsNull') return embedIsNull(condition)
  const not = condition.negated ? 'not ' : ''
  if (condition.kind === 'tree') {
    const branches = condition.branches.map((branch) =>
      conditionSql(branch, alias, parameters, embedIsNull),
    )
    return `${not}(${branches.join(` ${condition.operator} `)})`
  }
  const { field, operation } = condition
  return `${not}${operationSql(searchableSql(field, operation, alias), operation, parameters)}`
}

function operationSql(
  field: string,
  operation: Operation,
  parameters: StatementParameters,
): string {
  switch (operation.kind) {
    case 'compare': {
      const value = parameters.for(operation.value)
      const operator = OPERATORS[operation.operator] ?? '='
      return `${field} ${operator} ${operation.quantifier ? `${operation.quantifier} (${value})` : value}`
    }
    case 'in':
      return `${field} = any (${parameters.for(operation.value)})`
    case 'is':
      return `${field} is ${STATES[operation.what]}`
    case 'isdistinct':
      return `${field} is distinct from ${parameters.for(operation.value)}`
    case 'search':
      return `${field} @@ ${SEARCHES[operation.function]}(${languageSql(operation.language)}${parameters.for(operation.value)})`
  }
}

function searchableSql(field: PlannedField, operation: Operation, alias: string): string {
  const sql = fieldSql(field, alias)
  if (operation.kind !== 'search' || !field.needsVector) return sql
  return `to_tsvector(${languageSql(operation.language)}${sql})`
}

function languageSql(language: string | null): string {
  return language === null ? '' : `${quoteText(language)}, `
}

/** A column, or the part of it that a JSON path selects. */
export function fieldSql(field: PlannedField, alias: string): string {
  const { path, isJson } = field
  const column = columnSql(field, alias)
  if (path.length === 0) return column
  const steps = path.map(({ arrow, key, isIndex }) => `${arrow}${isIndex ? key : quoteText(key)}`)
  return `(${isJson ? column : `to_jsonb(${column})`}${steps.join('')})`
}

// The cast is needed for rows that come from a CTE.
function columnSql({ name, computed, of }: PlannedField, alias: string): string {
  if (computed) return `${quoteTable(computed)}((${alias}.*)::${quoteTable(of)})`
  return name === '*' ? `${alias}.*` : `${alias}.${quoteName(name)}`
}
