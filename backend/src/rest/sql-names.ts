// The only two ways a name from a request or the catalogue gets into the text of a statement.
import { restErrors } from './errors.ts'
import type { TableName } from './schema-types.ts'

export function quoteName(name: string): string {
  refuseZero(name)
  return `"${name.replaceAll('"', '""')}"`
}

export function quoteTable({ schema, name }: TableName): string {
  return `${quoteName(schema)}.${quoteName(name)}`
}

/** For keys of JSON paths: they belong to the shape of a query, since an index can be on one. */
export function quoteText(text: string): string {
  refuseZero(text)
  const quoted = `'${text.replaceAll("'", "''")}'`
  return quoted.includes('\\') ? `E${quoted.replaceAll('\\', '\\\\')}` : quoted
}

// A zero byte would end the statement in the middle of the protocol's message.
function refuseZero(text: string) {
  if (text.includes('\0')) {
    throw restErrors.invalidQuery(
      '"failed to parse name" (line 1, column 1)',
      'unexpected zero byte',
    )
  }
}
