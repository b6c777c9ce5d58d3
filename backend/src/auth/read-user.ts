import type { Action } from './action.ts'
import { requireUser } from './caller-user.ts'
import { userJson } from './user-json.ts'

/** GET /user */
export const readUser: Action = async (call, { database }) => {
  const { user } = await requireUser((statement) => database.query(statement), call)
  return Response.json(userJson(user))
}
