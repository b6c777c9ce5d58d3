import type { Action } from '#auth/context.ts'
import { requireUser } from '#auth/sessions/require-user.ts'
import { userJson } from '#auth/user-json.ts'

/** GET /user */
export const readUser: Action = async (call, { database }) => {
  // An app that asks while the second factor is being shown elsewhere in it must not take itself for signed out.
  const { user } = await requireUser((statement) => database.query(statement), call, {
    mayPrecedeCode: true,
  })
  return Response.json(userJson(user))
}
