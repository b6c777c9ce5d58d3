// The transaction settings of a request: what functions and policies read with `current_setting`, and the settings of
// the caller's role.
import type { PreparedPlan } from '#rest/plan-cache.ts'
import type { ParsedRequest } from '#rest/request/parse-request.ts'
import type { Schema } from '#rest/schema-cache/schema-types.ts'
import { quoteName } from './sql-names.ts'

/** Secrets that functions need not see; they have the claims. */
const HIDDEN = new Set(['authorization', 'cookie', 'apikey'])

export function requestGucs(
  request: Request,
  parsed: ParsedRequest,
  prepared: PreparedPlan,
  schema: Schema,
  role: string,
  defaultSchema: string,
): Record<string, string> {
  const settings: Record<string, string> = {
    'request.method': request.method,
    'request.path': parsed.path,
    'request.headers': headersJson(request.headers),
    ...schema.roleSettings.get(role),
  }
  // The database's search path already starts with the default schema. A role's own does not count, as in PostgREST.
  if (parsed.schema !== defaultSchema || settings.search_path !== undefined)
    settings.search_path = `${quoteName(parsed.schema)}, public, extensions`
  if (parsed.preferences.timezone !== null) settings.timezone = parsed.preferences.timezone
  const { source } = prepared.plan.read
  const timeout = source.kind === 'call' ? source.call.routine.statementTimeout : null
  if (timeout !== null) settings.statement_timeout = timeout
  return settings
}

function headersJson(headers: Headers): string {
  const shown: Record<string, string> = {}
  for (const [name, value] of headers) if (!HIDDEN.has(name)) shown[name] = value
  return JSON.stringify(shown)
}
