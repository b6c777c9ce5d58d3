import type { Column } from '#rest/schema-cache/schema-types.ts'

const INTEGERS: Record<string, string> = { smallint: 'int32', integer: 'int32', bigint: 'int64' }
const NUMBERS = ['numeric', 'real', 'double precision']

type JsonType = 'string' | 'boolean' | 'integer' | 'number' | 'array'

/** Null for JSON, which can be of any type. */
function jsonTypeOf(type: string): JsonType | null {
  if (type.endsWith('[]')) return 'array'
  if (type === 'boolean') return 'boolean'
  if (Object.hasOwn(INTEGERS, type)) return 'integer'
  if (NUMBERS.includes(type)) return 'number'
  return type === 'json' || type === 'jsonb' ? null : 'string'
}

function formatOf(type: string): string {
  return INTEGERS[type] ?? type
}

function typeIfAny(type: string): object {
  const found = jsonTypeOf(type)
  return found === null ? {} : { type: found }
}

/** A Postgres type as JSON schema; `format` is the exact type. */
export function schemaOfType(type: string): object {
  return {
    format: formatOf(type),
    ...typeIfAny(type),
    ...(type.endsWith('[]') ? { items: typeIfAny(type.slice(0, -2)) } : {}),
  }
}

export function schemaOfColumn({ type, base, enumValues, default: expression }: Column): object {
  const length = /^(?:character|bit)(?: varying)?\((\d+)\)$/.exec(type)?.[1]
  return {
    ...schemaOfType(base),
    ...(length ? { maxLength: Number(length) } : {}),
    ...(enumValues ? { enum: enumValues } : {}),
    ...(expression === null ? {} : valueOfDefault(expression, base)),
  }
}

/** The default if it is a value; for text, also the expression that computes it. */
function valueOfDefault(expression: string, type: string): { default?: unknown } {
  try {
    return { default: JSON.parse(jsonOfDefault(expression, type)) as unknown }
  } catch {
    return {}
  }
}

function jsonOfDefault(expression: string, type: string): string {
  if (jsonTypeOf(type) !== 'string') return expression
  const cast = `::${type}`
  const text = expression.endsWith(cast)
    ? expression.slice(0, -cast.length).replace(/^'+|'+$/g, '')
    : expression
  return `"${text}"`
}

/** A parameter in the query string, where arrays and JSON are text. */
export function schemaInQuery(type: string, variadic: boolean): object {
  const found = jsonTypeOf(type)
  if (!variadic)
    return {
      format: formatOf(type),
      type: found === null || found === 'array' ? 'string' : found,
    }
  const element = type.slice(0, -2)
  return {
    type: 'array',
    collectionFormat: 'multi',
    items: { ...typeIfAny(element), format: formatOf(element) },
  }
}

/** The first line of a comment is the summary, the rest the description. */
export function summaryOf(comment: string | null): { summary?: string; description?: string } {
  const [summary, ...rest] = comment?.split('\n') ?? []
  const description = rest.join('\n').replace(/^\n+/, '')
  return {
    ...(summary === undefined ? {} : { summary }),
    ...(description === '' ? {} : { description }),
  }
}
