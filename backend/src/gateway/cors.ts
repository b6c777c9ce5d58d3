// Every origin is allowed, as on hosted Supabase: the token protects the data, not the origin.
const ALLOWED_METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'
const EXPOSED_HEADERS =
  'Content-Encoding, Content-Location, Content-Range, Content-Type, Date, ETag, Location, Server, Transfer-Encoding, Range-Unit, Preference-Applied, X-Total-Count, Link, X-Supabase-Api-Version, Sb-Request-Id'
const PREFLIGHT_SECONDS = '3600'

export const corsHeaders: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED_HEADERS,
}

/** Response headers for a preflight request. */
export function preflightHeaders(requestedHeaders: string | undefined): Record<string, string> {
  return {
    ...corsHeaders,
    'access-control-allow-methods': ALLOWED_METHODS,
    'access-control-allow-headers':
      requestedHeaders ?? 'authorization, apikey, content-type, x-client-info',
    'access-control-max-age': PREFLIGHT_SECONDS,
  }
}
