// First stage: parses path, method, query string, headers and body into a ParsedRequest, without looking at the schema
// or the database.
import { restErrors } from '#rest/errors.ts'
import { parseAccept, type MediaType } from './media-types.ts'
import { parseBody, type Body } from './parse-body.ts'
import { parseQueryString, type ParsedQueryString } from './parse-query-string.ts'
import { parsePreferences, type Preferences } from './preferences.ts'
import { rangeQuery, type RangeQuery } from './range-query.ts'

export type Action =
  | { kind: 'read'; table: string; headersOnly: boolean }
  | { kind: 'insert' | 'update' | 'upsertOne' | 'delete'; table: string }
  | { kind: 'call'; function: string; method: 'GET' | 'HEAD' | 'POST' }
  | { kind: 'describe'; headersOnly: boolean }

export type ParsedRequest = {
  action: Action
  path: string
  /** The same for all requests that one plan and one statement can serve. */
  shape: string
  schema: string
  /** Whether the schema was chosen by a header; the response then names it. */
  schemaNegotiated: boolean
  query: ParsedQueryString
  range: RangeQuery
  body: Body | null
  preferences: Preferences
  accept: MediaType[]
  contentType: string
}

export type RequestSettings = {
  schemas: readonly string[]
  allowRollback: boolean
  /** The caller's role, which determines the body limit. */
  role: string
}

const PREFIX = '/rest/v1'

export async function parseRequest(
  request: Request,
  settings: RequestSettings,
): Promise<ParsedRequest> {
  const { path, search } = splitUrl(request.url)
  const headers = request.headers
  const action = actionOf(path, request.method)
  const { schema, schemaNegotiated } = schemaOf(request, settings.schemas)
  const forFunction = action.kind === 'call'
  const isRead = action.kind === 'read' || (forFunction && action.method !== 'POST')
  const query = parseQueryString(search, forFunction && action.method !== 'POST')
  const contentType = mediaName(headers.get('content-type'))
  const hasBody =
    ['insert', 'update', 'upsertOne'].includes(action.kind) || (forFunction && !isRead)
  const range = rangeQuery(
    query.ranges,
    request.method === 'GET' ? headers.get('range') : null,
    request.method,
  )
  const body = hasBody
    ? await parseBody(request, {
        contentType,
        forFunction,
        role: settings.role,
        columns: action.kind === 'upsertOne' ? null : query.columns,
      })
    : null
  const prefer = headers.get('prefer')
  const accept = headers.get('accept')
  return {
    action,
    path,
    shape: [
      request.method,
      path,
      schema,
      query.shape,
      range.limit,
      range.offset > 0,
      prefer,
      accept,
      contentType,
      shapeOfBody(body),
    ].join('\n'),
    schema,
    schemaNegotiated,
    query,
    range,
    body,
    preferences: parsePreferences(prefer, settings.allowRollback),
    accept: parseAccept(accept),
    contentType,
  }
}

function shapeOfBody(body: Body | null): string {
  if (body === null) return ''
  if (body.kind === 'json') return `${body.isArray ? 'rows' : 'row'} ${JSON.stringify(body.keys)}`
  return body.kind === 'form' ? JSON.stringify(body.pairs.map(({ name }) => name)) : body.as
}

/** Hand-written because a full URL parser costs more than the rest of this stage. */
function splitUrl(url: string): { path: string; search: string } {
  const start = url.indexOf(PREFIX, url.indexOf('//') + 2)
  // A path with `%2e%2e` can lead out of the API.
  if (start < 0 || url.slice(0, start).includes('?')) throw restErrors.invalidPath()
  const hash = url.indexOf('#', start)
  const whole = url.slice(start + PREFIX.length, hash < 0 ? undefined : hash)
  const question = whole.indexOf('?')
  return question < 0
    ? { path: whole, search: '' }
    : { path: whole.slice(0, question), search: whole.slice(question + 1) }
}

function actionOf(path: string, method: string): Action {
  const parts = path.split('/').slice(1).map(decodePart)
  if (parts.at(-1) === '') parts.pop()
  const [first, second] = parts
  if (first === undefined) {
    if (method === 'GET' || method === 'HEAD')
      return { kind: 'describe', headersOnly: method === 'HEAD' }
    throw restErrors.unsupportedMethod(method)
  }
  if (first === '') throw restErrors.invalidPath()
  if (parts.length === 1) return tableAction(first, method)
  if (parts.length === 2 && first === 'rpc' && second) return functionAction(second, method)
  throw restErrors.invalidPath()
}

function tableAction(table: string, method: string): Action {
  switch (method) {
    case 'GET':
    case 'HEAD':
      return { kind: 'read', table, headersOnly: method === 'HEAD' }
    case 'POST':
      return { kind: 'insert', table }
    case 'PATCH':
      return { kind: 'update', table }
    case 'PUT':
      return { kind: 'upsertOne', table }
    case 'DELETE':
      return { kind: 'delete', table }
    default:
      throw restErrors.unsupportedMethod(method)
  }
}

function functionAction(name: string, method: string): Action {
  if (method === 'GET' || method === 'HEAD' || method === 'POST')
    return { kind: 'call', function: name, method }
  throw restErrors.invalidFunctionMethod(method)
}

function decodePart(part: string): string {
  if (!part.includes('%')) return part
  try {
    return decodeURIComponent(part)
  } catch {
    throw restErrors.invalidPath()
  }
}

function schemaOf({ method, headers }: Request, schemas: readonly string[]) {
  const isRead = method === 'GET' || method === 'HEAD'
  const profile = headers.get(isRead ? 'accept-profile' : 'content-profile')
  if (profile === null)
    return { schema: schemas[0] ?? 'public', schemaNegotiated: schemas.length > 1 }
  if (!schemas.includes(profile)) throw restErrors.unknownSchema(profile, schemas)
  return { schema: profile, schemaNegotiated: true }
}

function mediaName(header: string | null): string {
  return header?.split(';', 1)[0]?.trim().toLowerCase() || 'application/json'
}
