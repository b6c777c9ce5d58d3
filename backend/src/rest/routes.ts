// The data API: tables and functions of the exposed schemas over HTTP. A request passes five stages:
// parse-request → plan-query → build-sql → run-query → shape-response. The middle two are skipped when a request of
// the same shape came before.
import type { Logger } from 'pino'
import type { Context, Handler } from '#http/context.ts'
import type { Database } from '#postgres/database.ts'
import { buildSql } from './build-sql.ts'
import { restErrors } from './errors.ts'
import { describeSchema } from './open-api.ts'
import { parseRequest, type ParsedRequest } from './parse-request.ts'
import { planQuery } from './plan-query.ts'
import { PlanCache, type PreparedPlan } from './prepared-plan.ts'
import { requestSettings } from './request-settings.ts'
import { requestValues } from './request-values.ts'
import { runQuery } from './run-query.ts'
import { createSchemaCache } from './schema-cache.ts'
import type { Schema } from './schema-types.ts'
import { shapeResponse } from './shape-response.ts'

export type RestSettings = {
  database: Database
  /** Exposed schemas; the first is the default. */
  schemas: readonly string[]
  log: Logger
  /** Aggregates can be expensive, so they are off unless wanted. */
  aggregates?: boolean
  /** Shows execution plans to anybody who asks. */
  explain?: boolean
  /** Lets clients ask for `tx=rollback`. */
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
  const defaultSchema = schemas[0] ?? 'public'
  let named = 0

  function prepare(parsed: ParsedRequest, schema: Schema): PreparedPlan {
    const { plan, contentType } = planQuery(parsed, schema, { aggregates, explain })
    const prepared = {
      plan,
      contentType,
      sql: buildSql(plan),
      name: `rest_${++named}`,
      proven: false,
    }
    plans.put(parsed.shape, prepared)
    return prepared
  }

  async function handle(request: Request, context: Context): Promise<Response> {
    const parsed = await parseRequest(request, { schemas, allowRollback })
    const schema = cache.current()
    if (parsed.action.kind === 'describe') return describe(parsed, schema, context)
    const prepared = plans.get(parsed.shape, schema.version) ?? prepare(parsed, schema)
    const { caller } = context
    const outcome = await runQuery(database, prepared, requestValues(parsed), {
      caller,
      settings: requestSettings(request, parsed, prepared, schema, caller.role, defaultSchema),
      rollback: parsed.preferences.transaction === 'rollback',
    })
    return shapeResponse(parsed, prepared, outcome)
  }

  function describe(
    { action, schema: name, schemaNegotiated }: ParsedRequest,
    schema: Schema,
    { caller, origin }: Context,
  ) {
    if (caller.role !== 'service_role') throw restErrors.descriptionOff()
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
