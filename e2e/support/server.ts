import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { findRunningCluster } from 'backend/postgres/embedded-cluster.ts'
import type { OwnServer } from './own-server.ts'

let own: OwnServer | undefined

/** Says which server this worker's journeys use. */
export function nameServer(server: OwnServer) {
  own = server
}

function server(): OwnServer {
  if (!own) throw new Error('No server was started: import `test` from support/journey.ts')
  return own
}

/** The address of the running test's server. */
export function serverUrl(): string {
  return server().url
}

/** Where a journey may start a push service. */
export function pushServicePort(): number {
  return Number(new URL(server().pushService).port)
}

/** The folder of the running test's server: what `DATA_DIR` says to the programs beside it. */
export function dataDir(): string {
  return server().dataDir
}

/** The secret key, for creating members without mails. */
export function secretKey(): string {
  return keys().secretKey
}

/** Runs a statement in its built-in Postgres, for what no request can arrange or read. */
export async function queryDatabase<Row extends object>(text: string, values: unknown[] = []) {
  const url = await findRunningCluster(server().dataDir, keys().databasePassword)
  const owner = new pg.Client(url ?? '')
  await owner.connect()
  const { rows } = await owner.query<Row>(text, values)
  await owner.end()
  return rows
}

function keys() {
  const file = join(server().dataDir, 'keys.json')
  return JSON.parse(readFileSync(file, 'utf8')) as { secretKey: string; databasePassword: string }
}

export async function publicKey(): Promise<string> {
  const response = await fetch(`${serverUrl()}/config.json`)
  return ((await response.json()) as { supabaseKey: string }).supabaseKey
}
