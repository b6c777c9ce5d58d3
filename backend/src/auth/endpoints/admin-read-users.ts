import type { Action, Call } from '#auth/context.ts'
import { authErrors } from '#auth/errors.ts'
import { isUuid, requireServiceRole } from '#auth/sessions/require-user.ts'
import { userJson } from '#auth/user-json.ts'
import { AUDIENCE, findUserById, SELECT_USERS, type User } from '#auth/users.ts'
import type { Query } from '#postgres/statement.ts'

const USERS_PER_PAGE = 50
const MAX_USERS_PER_PAGE = 1000

/** GET /admin/users/{id}, for trusted servers */
export const adminReadUser: Action = async (call, { database }) => {
  requireServiceRole(call)
  const user = await requireUserById((statement) => database.query(statement), call)
  return Response.json(userJson(user))
}

/** The user of the path's id. @throws user_not_found */
export async function requireUserById(query: Query, call: Call): Promise<User> {
  if (!isUuid(call.id)) throw authErrors.userIdNotUuid()
  const user = await findUserById(query, call.id)
  if (!user) throw authErrors.userNotFound()
  return user
}

/** GET /admin/users?page=&per_page=&filter=, newest first */
export const listUsers: Action = async (call, { database }) => {
  requireServiceRole(call)
  const parameters = call.url.searchParams
  const page = readCount(parameters.get('page'), 1)
  const perPage = Math.min(
    readCount(parameters.get('per_page'), USERS_PER_PAGE),
    MAX_USERS_PER_PAGE,
  )
  const filter = parameters.get('filter') ?? ''
  const condition = `
    where u.deleted_at is null and ($1 = '' or strpos(u.email, lower($1)) > 0
      or strpos(lower(u.raw_user_meta_data ->> 'full_name'), lower($1)) > 0)`
  const { rows: counted } = await database.query({
    text: `select count(*)::int as total from auth.users u ${condition}`,
    values: [filter],
  })
  const { rows } = await database.query({
    text: `${SELECT_USERS} ${condition} order by u.created_at desc, u.id limit $2 offset $3`,
    values: [filter, perPage, (page - 1) * perPage],
  })
  const { total } = counted[0] as { total: number }
  return Response.json(
    { users: (rows as User[]).map(userJson), aud: AUDIENCE },
    { headers: pageHeaders(call.url, page, perPage, total) },
  )
}

function readCount(given: string | null, otherwise: number): number {
  if (given === null || given === '') return otherwise
  if (/^[1-9]\d{0,8}$/.test(given)) return Number(given)
  throw authErrors.validationFailed(`Bad Pagination Parameters: invalid number "${given}"`)
}

// auth-js reads the next and last page from the Link header.
function pageHeaders(url: URL, page: number, perPage: number, total: number) {
  const lastPage = Math.ceil(total / perPage)
  const link = (number: number, name: string) => {
    const other = new URL(url)
    other.searchParams.set('page', String(number))
    return `<${other.pathname}${other.search}>; rel="${name}"`
  }
  const links = [link(lastPage, 'last')]
  if (lastPage > page) links.unshift(link(page + 1, 'next'))
  return { link: links.join(', '), 'x-total-count': String(total) }
}
