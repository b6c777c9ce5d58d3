// Quoting: the only ways a name from a request or the catalog gets into a statement.
import { restErrors } from '#rest/errors.ts'
import type { TableName } from '#rest/schema-cache/schema-types.ts'

export function quoteName(name: string): string {
  rejectZeroByte(name)
  return `"${name.replaceAll('"', '""')}"`
}

export function quoteTable({ schema, name }: TableName): string {
  return `${quoteName(schema)}.${quoteName(name)}`
}

/** For keys of JSON paths, which are literals rather than parameters so that an expression index can match. */
export function quoteText(text: string): string {
  rejectZeroByte(text)
  const quoted = `'${text.replaceAll("'", "''")}'`
  return quoted.includes('\\') ? `E${quoted.replaceAll('\\', '\\\\')}` : quoted
}

// A zero byte would terminate the statement in the middle of the protocol message.
function rejectZeroByte(text: string) {
  if (text.includes('\0')) {
    throw restErrors.invalidQuery(
      '"failed to parse name" (line 1, column 1)',
      'unexpected zero byte',
    )
  }
}
