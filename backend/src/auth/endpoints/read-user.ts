import type { Action } from '#auth/context.ts'
import { requireUser } from '#auth/sessions/require-user.ts'
import { userJson } from '#auth/user-json.ts'

/** GET /user */
export const readUser: Action = async (call, { database }) => {
  const { user } = await requireUser((statement) => database.query(statement), call)
  return Response.json(userJson(user))
}
