// The backend with the product's database and the bench's data. Prints one line of JSON once it is ready.
// Usage: data-api-server.ts DATA_DIR MESSAGES
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { startBackend } from 'backend/gateway/start-backend.ts'
import { freePort } from 'backend/postgres/free-port.ts'
import { ROOT, startProductDatabase, stopWhenTold } from './product-database.ts'

const HEAVY_MEMBERS = 20

const dataDir = process.argv[2] ?? ''
const { keys, cluster } = await startProductDatabase(dataDir)
const client = new pg.Client({ connectionString: cluster.url })
await client.connect()
await client.query("select set_config('bench.messages', $1, false)", [process.argv[3]])
await client.query(await readFile(join(ROOT, 'bench/data-api-data.sql'), 'utf8'))
await client.query('reset session_replication_role')
await client.query('vacuum analyze')
await client.query('checkpoint')
// lite changes grants and schemas, so it gets a copy of the data in the same Postgres.
const name = new URL(cluster.url).pathname.slice(1)
await client.end()
const copier = new pg.Client({ connectionString: cluster.url.replace(/\/[^/]*$/, '/template1') })
await copier.connect()
await copier.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
  name,
])
await copier.query(`create database lite_bench template ${copier.escapeIdentifier(name)}`)
await copier.end()

const port = await freePort()
const backend = await startBackend({
  databaseUrl: cluster.socketUrl,
  keys,
  siteUrl: `http://127.0.0.1:${port}`,
  dataDir,
  productName: 'Bench',
  log: pino({ level: process.env.LOG_LEVEL ?? 'silent' }, pino.destination(2)),
})
await backend.app.listen({ port, host: '127.0.0.1' })
const exp = Math.floor(Date.now() / 1000) + 86_400
const members = await Promise.all(
  Array.from({ length: HEAVY_MEMBERS }, async (_, index) => {
    const id = `00000000-0000-4000-8000-${String(index + 1).padStart(12, '0')}`
    const claims = { sub: id, session_id: id, role: 'authenticated', exp, aud: 'authenticated' }
    return { id, claims: JSON.stringify(claims), token: await backend.tokens.sign(claims) }
  }),
)
console.log(
  JSON.stringify({
    port,
    key: keys.publishableKey,
    password: keys.databasePassword,
    databaseUrl: cluster.url,
    members,
    pid: process.pid,
  }),
)
stopWhenTold(backend, cluster)
