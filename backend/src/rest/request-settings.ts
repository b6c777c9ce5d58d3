// What functions and policies can read of the request with `current_setting`, and the settings of the caller's role.
import type { ParsedRequest } from './parse-request.ts'
import type { PreparedPlan } from './prepared-plan.ts'
import { quoteName } from './sql-names.ts'
import type { Schema } from './schema-types.ts'

/** Secrets that no function needs to see; the claims are there anyway. */
const HIDDEN = new Set(['authorization', 'cookie', 'apikey'])

export function requestSettings(
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
  // The database's own search path begins with the default schema already.
  if (parsed.schema !== defaultSchema)
    settings.search_path = `${quoteName(parsed.schema)}, extensions`
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
