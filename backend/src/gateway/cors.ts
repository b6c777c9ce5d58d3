// Any page may ask: what protects the data is the token, not where the page came from (as hosted).
const ALLOWED_METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'
const EXPOSED_HEADERS =
  'Content-Encoding, Content-Location, Content-Range, Content-Type, Date, ETag, Location, Server, Transfer-Encoding, Range-Unit, Preference-Applied, X-Total-Count, Link, X-Supabase-Api-Version, Sb-Request-Id'
const PREFLIGHT_SECONDS = '3600'

export const corsHeaders: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED_HEADERS,
}

/** Headers that answer a preflight request. */
export function preflightHeaders(requestedHeaders: string | undefined): Record<string, string> {
  return {
    ...corsHeaders,
    'access-control-allow-methods': ALLOWED_METHODS,
    'access-control-allow-headers':
      requestedHeaders ?? 'authorization, apikey, content-type, x-client-info',
    'access-control-max-age': PREFLIGHT_SECONDS,
  }
}
