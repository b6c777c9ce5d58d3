/** What the load generator repeats. */
export type RequestPlan = {
  method: string
  path: string
  headers: Record<string, string>
  body?: string
}

export type LoadPlan = {
  port: number
  connections: number
  seconds: number
  requests: RequestPlan[]
}
export type LoadResult = {
  perSecond: number
  p50Ms: number
  p99Ms: number
  requests: number
  failed: number
}

/** One figure of a contestant in a round. */
export type Sample = {
  perSecond: number
  p50Ms: number
  p99Ms: number
  cpuMsPerRequest: number
  failed: number
}
