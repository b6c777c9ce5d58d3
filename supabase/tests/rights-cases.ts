import type { Role, Scene, Squad } from './rights-scene.ts'
import type { Person } from './team.ts'

export type Occasion = { me: Person; role: Role; scene: Scene; squad: Squad }

/** Tries one action as one person; true if it was allowed and took effect. */
export type Attempt = (occasion: Occasion) => Promise<boolean>
export type Attempts = Record<string, Attempt>

type Result = { data: unknown; error: unknown; status?: number }

/** Whether rows were returned: a refused read returns none, a refused write an error or none. */
export async function bringsRows(request: PromiseLike<Result>): Promise<boolean> {
  const { data, error, status } = await request
  // A server error is a bug and must not count as a refusal.
  if (status !== undefined && status >= 500)
    throw new Error(`the server failed: ${JSON.stringify(error)}`)
  if (error) return false
  return Array.isArray(data) ? data.length > 0 : data !== null && data !== false && data !== ''
}

/** Whether the call succeeded. */
export async function succeeds(request: PromiseLike<Result>): Promise<boolean> {
  const { error, status } = await request
  if (status !== undefined && status >= 500)
    throw new Error(`the server failed: ${JSON.stringify(error)}`)
  return !error
}
