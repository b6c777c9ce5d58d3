import pg from 'pg'
import { createDataRequests, type DataRequests } from './data-requests.ts'
import { createListener, type Listener } from './listener.ts'
import type { Query, Statement } from './statement.ts'
import { inTransaction, toConfig } from './transaction.ts'

/** Logins of the services, each with rights on its own schema alone. */
export const SERVICE_ROLES = {
  auth: 'supabase_auth_admin',
  storage: 'supabase_storage_admin',
  realtime: 'supabase_realtime_admin',
} as const
export type ServiceName = keyof typeof SERVICE_ROLES

/** Work that a service does in its own name, not a member's. */
export type ServiceDatabase = {
  query(statement: Statement): Promise<pg.QueryResult>
  /** Commits when `work` resolves, rolls back when it throws. */
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T>
}

export type Database = DataRequests & {
  /** Acts as a service, past the members' policies; `reason` says why no member's rights are meant, for the reader. */
  asService(service: ServiceName, reason: string): ServiceDatabase
  listener: Listener
  close(): Promise<void>
}

export type DatabaseSettings = {
  /** Host, port and database; user and password are the services' own. */
  url: string
  /** Password of `authenticator` and the service logins. */
  password: string
  onError(error: unknown): void
}

/** Opens the connections of the services to a database that `preparePlatform` has been run on. */
export function openDatabase({ url, password, onError }: DatabaseSettings): Database {
  const as = (user: string) => withUser(url, user, password)
  const services = new Map<ServiceName, pg.Pool>()
  const pool = (service: ServiceName) => {
    let found = services.get(service)
    if (!found) {
      found = new pg.Pool({
        connectionString: as(SERVICE_ROLES[service]),
        max: 4,
        application_name: service,
      })
      found.on('error', onError)
      services.set(service, found)
    }
    return found
  }
  const dataRequests = createDataRequests(as('authenticator'), onError)
  const listener = createListener(as(SERVICE_ROLES.realtime), onError)

  return {
    rowsAs: dataRequests.rowsAs,
    runAs: dataRequests.runAs,
    transactionAs: dataRequests.transactionAs,
    asService: (service) => serviceDatabase(pool(service)),
    listener,
    async close() {
      await Promise.all([
        dataRequests.close(),
        listener.close(),
        ...[...services.values()].map((each) => each.end()),
      ])
    },
  }
}

/** The same server and database, for another login. */
export function withUser(url: string, user: string, password: string): string {
  const changed = new URL(url)
  changed.username = user
  changed.password = password
  return changed.href
}

function serviceDatabase(pool: pg.Pool): ServiceDatabase {
  return {
    query: (statement) => pool.query(toConfig(statement)),
    transaction: (work) => inTransaction(pool, [], work),
  }
}
