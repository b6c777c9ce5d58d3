const INTEGERS = ['smallint', 'integer', 'bigint']
const NUMBERS = ['numeric', 'real', 'double precision']

/** A Postgres type as JSON schema; the exact type is its format. */
export function schemaOfType(type: string, enumValues: string[] | null): object {
  const length = /^character(?: varying)?\((\d+)\)$/.exec(type)?.[1]
  return {
    format: type.replace(/\(.*\)/, ''),
    ...jsonType(type),
    ...(length ? { maxLength: Number(length) } : {}),
    ...(enumValues ? { enum: enumValues } : {}),
  }
}

function jsonType(type: string): object {
  if (type.endsWith('[]')) return { type: 'array', items: jsonType(type.slice(0, -2)) }
  const name = type.replace(/\(.*\)/, '')
  if (name === 'boolean') return { type: 'boolean' }
  if (INTEGERS.includes(name)) return { type: 'integer' }
  if (NUMBERS.includes(name)) return { type: 'number' }
  // JSON can be anything, so it has no type.
  return name === 'json' || name === 'jsonb' ? {} : { type: 'string' }
}
