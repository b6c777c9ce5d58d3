// The backend with the product's database, 500 members who can sign in, 50 chats and some messages. Prints one line of
// JSON once it is ready. Usage: auth-server.ts DATA_DIR
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { startBackend } from 'backend/gateway/start-backend.ts'
import { freePort } from 'backend/postgres/free-port.ts'
import { ROOT, startProductDatabase, stopWhenTold } from './product-database.ts'

const MESSAGES = 20_000
const PASSWORD = 'correct horse battery staple'

const dataDir = process.argv[2] ?? ''
const { keys, cluster } = await startProductDatabase(dataDir)
const port = await freePort()
const url = `http://127.0.0.1:${port}`
const backend = await startBackend({
  databaseUrl: cluster.socketUrl,
  keys,
  siteUrl: url,
  dataDir,
  productName: 'Bench',
  // High enough for one machine to act as everybody; every sign-in is still counted.
  auth: { rateLimitFactor: 1_000_000 },
  log: pino({ level: process.env.LOG_LEVEL ?? 'silent' }, pino.destination(2)),
})
await backend.app.listen({ port, host: '127.0.0.1' })
await fillDatabase(await hashOf(PASSWORD))

const id = '00000000-0000-4000-8000-000000000001'
const exp = Math.floor(Date.now() / 1000) + 86_400
const claims = { sub: id, role: 'authenticated', exp, aud: 'authenticated' }
console.log(
  JSON.stringify({
    port,
    key: keys.publishableKey,
    password: PASSWORD,
    reader: { id, claims: JSON.stringify(claims), token: await backend.tokens.sign(claims) },
  }),
)
stopWhenTold(backend, cluster)

/** Hashed as the backend does. */
async function hashOf(password: string): Promise<string> {
  const response = await fetch(`${url}/auth/v1/admin/users`, {
    method: 'POST',
    headers: { apikey: keys.secretKey, 'content-type': 'application/json' },
    // Unconfirmed, so that the trigger creates no member.
    body: JSON.stringify({ email: 'hash@example.com', password }),
  })
  if (!response.ok) throw new Error(await response.text())
  const { rows } = await asOwner<{ hash: string }>(
    'select encrypted_password as hash from auth.users limit 1',
  )
  return rows[0]?.hash ?? ''
}

async function fillDatabase(hash: string) {
  const client = new pg.Client({ connectionString: cluster.url })
  await client.connect()
  await client.query("select set_config('bench.messages', $1, false)", [`${MESSAGES}`])
  await client.query(await readFile(join(ROOT, 'bench/data-api-data.sql'), 'utf8'))
  await client.query(
    `insert into auth.users (id, aud, role, email, encrypted_password, email_confirmed_at, created_at, updated_at,
       raw_app_meta_data, raw_user_meta_data)
     select id, 'authenticated', 'authenticated', email, $1, now(), now(), now(),
       '{"provider": "email", "providers": ["email"]}', jsonb_build_object('first_name', first_name)
     from private.members where email ~ '^[0-9]+@'`,
    [hash],
  )
  await client.query('reset session_replication_role')
  await client.query('vacuum analyze')
  await client.query('checkpoint')
  await client.end()
}

async function asOwner<Row extends object>(sql: string) {
  const client = new pg.Client({ connectionString: cluster.url })
  await client.connect()
  const result = await client.query<Row>(sql)
  await client.end()
  return result
}
