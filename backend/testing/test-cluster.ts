// One Postgres per test run, one database per backend that a test starts.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { applyMigrations } from '../src/postgres/migrations.ts'
import { startEmbeddedCluster } from '../src/postgres/embedded-cluster.ts'
import { preparePlatform } from '../src/postgres/platform.ts'
import { MIGRATIONS, PLATFORM } from './folders.ts'
import { TEST_PASSWORD } from './passwords.ts'

const CLONE_LOCK = 1
const PRODUCT_TEMPLATE_LOCK = 2
export type TemplateName = 'platform_only' | 'with_product'

declare module 'vitest' {
  export interface ProvidedContext {
    clusterUrl: string
  }
}

/** Vitest's global setup: creates the cluster and its templates, and returns the teardown. */
export default async function setup(project: TestProject) {
  const { url, stop } = await startTestCluster()
  project.provide('clusterUrl', url)
  return stop
}

/** Starts a temporary cluster whose databases can be cloned from two templates. */
export async function startTestCluster(): Promise<{ url: string; stop(): Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'backend-test-'))
  const cluster = await startEmbeddedCluster({ dataDir, password: TEST_PASSWORD, durable: false })
  await cloneTemplate(cluster.url, 'platform_only', 'template1')
  await preparePlatform({
    url: databaseUrl(cluster.url, 'platform_only'),
    folder: PLATFORM,
    password: TEST_PASSWORD,
  })
  return {
    url: cluster.url,
    async stop() {
      await cluster.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

export function databaseUrl(clusterUrl: string, name: string): string {
  const url = new URL(clusterUrl)
  url.pathname = `/${name}`
  return url.href
}

/** Creates the database `name` from a template. */
export async function cloneDatabase(clusterUrl: string, name: string, template: TemplateName) {
  if (template === 'with_product') await ensureProductTemplate(clusterUrl)
  await cloneTemplate(clusterUrl, name, template)
}

export async function dropDatabase(clusterUrl: string, name: string) {
  await withClient(clusterUrl, (client) =>
    client.query(`drop database if exists ${client.escapeIdentifier(name)} with (force)`),
  )
}

async function ensureProductTemplate(clusterUrl: string) {
  await withClient(clusterUrl, async (client) => {
    await client.query('select pg_advisory_lock($1)', [PRODUCT_TEMPLATE_LOCK])
    const made = await client.query("select from pg_database where datname = 'with_product'")
    if (made.rowCount) return
    await cloneTemplate(clusterUrl, 'with_product_draft', 'platform_only')
    await applyMigrations(databaseUrl(clusterUrl, 'with_product_draft'), MIGRATIONS)
    await client.query('alter database with_product_draft rename to with_product')
  })
}

async function cloneTemplate(clusterUrl: string, name: string, template: string) {
  await withClient(clusterUrl, async (client) => {
    // A template must have no connections while it is copied, so clones run one at a time.
    await client.query('select pg_advisory_lock($1)', [CLONE_LOCK])
    const quoted = client.escapeIdentifier(name)
    await client.query(
      `create database ${quoted} template ${client.escapeIdentifier(template)} strategy file_copy`,
    )
    // Settings and owner of a database are not cloned.
    await client.query(`alter database ${quoted} set search_path = "$user", public, extensions`)
    const owner = await client.query("select from pg_roles where rolname = 'postgres'")
    if (owner.rowCount) await client.query(`alter database ${quoted} owner to postgres`)
    const { rows } = await client.query<{ command: string }>(
      `select format('alter role %I in database %I set %s = %L', rolname, $1::text,
         split_part(setting, '=', 1), substr(setting, strpos(setting, '=') + 1)) as command
       from pg_db_role_setting
       join pg_roles on pg_roles.oid = setrole
       join pg_database on pg_database.oid = setdatabase and datname = $2
       cross join unnest(setconfig) as setting`,
      [name, template],
    )
    for (const { command } of rows) await client.query(command)
  })
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
