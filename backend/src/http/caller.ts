/** The claims of an access token, or of the caller that an API key alone stands for. Times are in seconds. */
export type Claims = {
  role: string
  sub?: string
  email?: string
  session_id?: string
  aal?: string
  iss?: string
  iat?: number
  exp?: number
  [name: string]: unknown
}

/** On whose behalf a request is made: the database role to switch to and the claims that policies read. */
export type Caller = {
  role: string
  claims: Claims
  /** The claims as JSON, made once for a token and used by every request that carries it. */
  claimsText: string
}

export function callerFromClaims(claims: Claims): Caller {
  return { role: claims.role, claims, claimsText: JSON.stringify(claims) }
}

export const anonymousCaller = callerFromClaims({ role: 'anon' })
export const serviceCaller = callerFromClaims({ role: 'service_role' })
