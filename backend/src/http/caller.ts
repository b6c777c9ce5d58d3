/** The claims of an access token, or those implied by an API key alone. Times are in seconds. */
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

/** Who a request runs as: the database role to switch to and the claims that policies read. */
export type Caller = {
  role: string
  claims: Claims
  /** The claims as JSON, serialized once per token. */
  claimsText: string
}

export function callerFromClaims(claims: Claims): Caller {
  return { role: claims.role, claims, claimsText: JSON.stringify(claims) }
}

export const anonymousCaller = callerFromClaims({ role: 'anon' })
export const serviceCaller = callerFromClaims({ role: 'service_role' })
