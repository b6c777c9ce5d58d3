import type { Person } from './team.ts'
import type { Role, Scene, Squad } from './squad.ts'

export type Occasion = { me: Person; role: Role; scene: Scene; squad: Squad }

/** Tries one thing as one person; true when it was allowed and took effect. */
export type Attempt = (occasion: Occasion) => Promise<boolean>
export type Attempts = Record<string, Attempt>

type Answer = { data: unknown; error: unknown; status?: number }

/** Whether the answer brought rows: a refused read brings none, a refused change an error or none. */
export async function bringsRows(request: PromiseLike<Answer>): Promise<boolean> {
  const { data, error, status } = await request
  // A refusal has a reason; a server error is a fault of ours and must never pass for one.
  if (status !== undefined && status >= 500)
    throw new Error(`the server failed: ${JSON.stringify(error)}`)
  if (error) return false
  return Array.isArray(data) ? data.length > 0 : data !== null && data !== false && data !== ''
}

/** Whether the call was answered without an error. */
export async function succeeds(request: PromiseLike<Answer>): Promise<boolean> {
  const { error, status } = await request
  if (status !== undefined && status >= 500)
    throw new Error(`the server failed: ${JSON.stringify(error)}`)
  return !error
}
