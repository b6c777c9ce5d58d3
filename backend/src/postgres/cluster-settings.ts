// What the embedded Postgres is started with.
import { LOG_SETTINGS } from './server-log.ts'

/** For backups, reports and direct access to the database. */
const SPARE_CONNECTIONS = 40
/** More than all pools of one process together. */
const CONNECTIONS_PER_PROCESS = 40

const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'password_encryption=scram-sha-256',
  'shared_buffers=64MB',
  'max_wal_size=512MB',
  'jit=off',
  'timezone=UTC',
  'log_timezone=UTC',
  'unix_socket_permissions=0700',
  ...LOG_SETTINGS,
]
/** For tests only: faster, but a crash may lose data. */
const NON_DURABLE_SETTINGS = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']

export function clusterSettings(given: { durable: boolean; processes: number }): string[] {
  const connections = SPARE_CONNECTIONS + given.processes * CONNECTIONS_PER_PROCESS
  return [
    ...SETTINGS,
    `max_connections=${connections}`,
    ...(given.durable ? [] : NON_DURABLE_SETTINGS),
  ]
}
