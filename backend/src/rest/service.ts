// The Data API: tables and functions of the exposed schemas over HTTP. A request passes five stages:
// parse-request → plan-query → build-sql → run-query → shape-response. plan-query and build-sql are skipped if the plan
// for the request's shape is cached.
import type { Logger } from 'pino'
import type { Caller } from '#http/caller.ts'
import type { Context, Handler } from '#http/context.ts'
import { createRefusalPace } from '#http/refusal-pace.ts'
import { accessOf, noteAccess, sessionShareOf } from '#postgres/caller-share.ts'
import type { Database } from '#postgres/database.ts'
import { planQuery } from '#rest/plan/plan-query.ts'
import { tablesRead } from '#rest/plan/tables-read.ts'
import { buildSql } from '#rest/query/build-sql.ts'
import { requestGucs } from '#rest/query/request-gucs.ts'
import { runQuery } from '#rest/query/run-query.ts'
import { rejectLongValues, shortValuesOf } from '#rest/query/short-values.ts'
import { JSON_ARRAY, nameOf } from '#rest/request/media-types.ts'
import { parseRequest, type ParsedRequest } from '#rest/request/parse-request.ts'
import { requestValues } from '#rest/request/request-values.ts'
import { toRestError } from '#rest/response/database-error.ts'
import { describeSchema } from '#rest/response/open-api.ts'
import { shapeResponse } from '#rest/response/shape-response.ts'
import { createSchemaCache } from '#rest/schema-cache/schema-cache.ts'
import type { Schema } from '#rest/schema-cache/schema-types.ts'
import { isSessionRefused, restErrors } from './errors.ts'
import { PlanCache, type PreparedPlan } from './plan-cache.ts'
import { createWriteAllowance, type Writer } from './write-allowance.ts'

export type RestSettings = {
  database: Database
  /** Exposed schemas; the first is the default. */
  schemas: readonly string[]
  log: Logger
  /** Aggregates can be expensive, so they are off by default. */
  aggregates?: boolean
  /** Lets every client request execution plans. */
  explain?: boolean
  /** Lets clients use `tx=rollback`. */
  allowRollback?: boolean
}

export type RestService = { handle: Handler; ready(): Promise<void>; close(): void }

export function createRestService(settings: RestSettings): RestService {
  const {
    database,
    schemas,
    log,
    aggregates = false,
    explain = false,
    allowRollback = false,
  } = settings
  const cache = createSchemaCache(database, schemas, log)
  const plans = new PlanCache()
  const allowance = createWriteAllowance()
  const paceRefusal = createRefusalPace()
  const defaultSchema = schemas[0] ?? 'public'
  let named = 0

  function prepare(parsed: ParsedRequest, schema: Schema): PreparedPlan {
    const plan = planQuery(parsed, schema, { aggregates, explain })
    const prepared = {
      plan,
      sql: buildSql(plan),
      name: `rest_${++named}`,
      shortValues: shortValuesOf(plan),
      tables: tablesRead(plan.read),
      proven: false,
    }
    plans.put(parsed.shape, prepared)
    return prepared
  }

  /** All that comes before the database. `prepared` is null for a description of the schema. */
  async function understand(request: Request, caller: Caller) {
    const parsed = await parseRequest(request, {
      schemas,
      allowRollback,
      role: caller.role,
    })
    const schema = cache.current()
    if (parsed.action.kind === 'describe') return { parsed, schema, prepared: null }
    const prepared = plans.get(parsed.shape, schema.version) ?? prepare(parsed, schema)
    rejectLongValues(prepared.shortValues, parsed)
    return { parsed, schema, prepared }
  }

  async function handle(request: Request, context: Context): Promise<Response> {
    const { caller } = context
    const { parsed, schema, prepared } = await understand(request, caller).catch(
      async (error: unknown) => {
        await paceRefusal(context)
        throw error
      },
    )
    if (!prepared) return describe(parsed, schema, context)
    const run = (mostRows: number) =>
      runQuery(database, prepared, requestValues(parsed, mostRows), {
        caller,
        origin: { address: context.clientAddress, signal: context.signal },
        settings: requestGucs(request, parsed, prepared, schema, caller.role, defaultSchema),
        preRequest: schema.preRequest,
        rollback: parsed.preferences.transaction === 'rollback',
      }).catch((error: unknown) => {
        throw toRestError(error, caller.role, prepared.plan.read)
      })
    const { plan } = prepared
    const isFree = plan.readOnly || caller.role === 'service_role'
    const writer = isFree ? null : await writerOf(schema, context)
    const outcome = await notingAccess(caller, () =>
      writer === null ? run(Number.MAX_SAFE_INTEGER) : allowance.run(parsed, writer, run),
    )
    return shapeResponse(parsed, prepared.plan, outcome)
  }

  /**
   * Whom a write counts for: the account, if the database lets the token in, which it is asked once. Until then the session, so that a
   * token that is good for nothing does not keep its owner from writing.
   */
  async function writerOf({ preRequest }: Schema, context: Context): Promise<Writer> {
    const { caller, clientAddress, signal } = context
    const account = { share: caller.claims.sub ?? '', isAdmitted: true }
    const session = { share: sessionShareOf(caller), isAdmitted: false }
    if (preRequest === null || accessOf(caller) === 'admitted') return account
    if (accessOf(caller) === 'refused') return session
    try {
      const origin = { address: clientAddress, signal }
      await database.rowsAs(caller, { text: 'select 1' }, { origin, preRequest, readOnly: true })
      noteAccess(caller, 'admitted')
      return account
    } catch (error) {
      const refusal = toRestError(error, caller.role, null)
      if (!isSessionRefused(refusal)) throw refusal
      noteAccess(caller, 'refused')
      return session
    }
  }

  function describe(
    { action, accept, schema: name, schemaNegotiated }: ParsedRequest,
    schema: Schema,
    { caller, origin }: Context,
  ) {
    if (caller.role !== 'service_role') throw restErrors.descriptionOff()
    if (!accept.some((type) => type === JSON_ARRAY || type.kind === 'openapi'))
      throw restErrors.mediaTypeNotAvailable(accept.map(nameOf))
    const headers: Record<string, string> = {
      'content-type': 'application/openapi+json; charset=utf-8',
    }
    if (schemaNegotiated) headers['content-profile'] = name
    const isHead = action.kind === 'describe' && action.headersOnly
    return new Response(
      isHead ? null : JSON.stringify(describeSchema(schema, name, new URL(origin))),
      { headers },
    )
  }

  return { handle, ready: () => cache.ready(), close: () => cache.close() }
}

/** A caller that was refused counts for its address until something succeeds. */
async function notingAccess<T>(caller: Caller, work: () => Promise<T>): Promise<T> {
  try {
    const result = await work()
    noteAccess(caller, 'admitted')
    return result
  } catch (error) {
    if (isSessionRefused(error)) noteAccess(caller, 'refused')
    throw error
  }
}
