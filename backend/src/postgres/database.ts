import type pg from 'pg'
import { checkOut, createPool } from './guarded-client.ts'
import { createListener, type Listener } from './listener.ts'
import { createRunAsRole, type RunAsRole } from './run-as-role.ts'
import type { Query, Statement } from './statement.ts'
import { inTransaction, toConfig } from './transaction.ts'

/** Database logins of the services. Each can access only its own schema. */
export const SERVICE_ROLES = {
  auth: 'supabase_auth_admin',
  storage: 'supabase_storage_admin',
  realtime: 'supabase_realtime_admin',
} as const
export type ServiceName = keyof typeof SERVICE_ROLES

/** Queries that a service runs as itself, not as the caller. */
export type ServiceDatabase = {
  query(statement: Statement): Promise<pg.QueryResult>
  /** Commits when `work` resolves, rolls back when it throws. */
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T>
}

export type Database = RunAsRole & {
  /** Runs as a service, outside the callers' policies. `reason` documents at the call site why that is right. */
  asService(service: ServiceName, reason: string): ServiceDatabase
  listener: Listener
  /** Resolves when Postgres responds, on a connection of its own: busy services do not delay it. */
  ping(): Promise<void>
  close(): Promise<void>
}

export type DatabaseSettings = {
  /** Host, port and database. User and password are replaced by each service's own. */
  url: string
  /** Password of `authenticator` and the service logins. */
  password: string
  onError(error: unknown): void
}

/** Opens the services' connections. The database must have been set up by `preparePlatform`. */
export function openDatabase({ url, password, onError }: DatabaseSettings): Database {
  const urlFor = (user: string) => withUser(url, user, password)
  const services = new Map<ServiceName, pg.Pool>()
  const pool = (service: ServiceName) => {
    let existing = services.get(service)
    if (!existing) {
      existing = createPool(
        { connectionString: urlFor(SERVICE_ROLES[service]), max: 4, application_name: service },
        onError,
      )
      services.set(service, existing)
    }
    return existing
  }
  const runAsRole = createRunAsRole(urlFor('authenticator'), onError)
  const listener = createListener(urlFor(SERVICE_ROLES.realtime), onError)
  const health = createPool(
    { connectionString: urlFor(SERVICE_ROLES.realtime), max: 1, application_name: 'health' },
    onError,
  )

  return {
    rowsAs: runAsRole.rowsAs,
    runAs: runAsRole.runAs,
    transactionAs: runAsRole.transactionAs,
    takeFlush: runAsRole.takeFlush,
    asService: (service) => serviceDatabase(pool(service)),
    listener,
    async ping() {
      await health.query('select 1')
    },
    async close() {
      await Promise.all([
        runAsRole.close(),
        listener.close(),
        health.end(),
        ...[...services.values()].map((each) => each.end()),
      ])
    },
  }
}

/** The same URL with another login. */
export function withUser(url: string, user: string, password: string): string {
  const changed = new URL(url)
  changed.username = user
  changed.password = password
  return changed.href
}

function serviceDatabase(pool: pg.Pool): ServiceDatabase {
  return {
    // `pool.query` would discard the connection after every failed statement.
    async query(statement) {
      const client = await checkOut(pool)
      try {
        return await client.query(toConfig(statement))
      } finally {
        client.release()
      }
    },
    transaction: (work) => inTransaction(pool, [], work),
  }
}
