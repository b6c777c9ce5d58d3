// The backend with the product's database, as `npm start` runs it, and a group chat with N members. Prints one line of
// JSON once it is ready. Restarted on the same DATA_DIR it keeps the same group.
// Usage: chat-server.ts MEMBERS DATA_DIR [PORT]
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { pino } from 'pino'
import { startBackend } from 'backend/gateway/start-backend.ts'
import { freePort } from 'backend/postgres/free-port.ts'
import { startProductDatabase, stopWhenTold } from './product-database.ts'

const ONE_DAY_S = 86_400

const members = Number(process.argv[2])
const dataDir = process.argv[3] ?? ''
const { keys, cluster } = await startProductDatabase(dataDir)
const { chatId, ids } = await findOrMakeGroup(cluster.url)

const port = Number(process.argv[4]) || (await freePort())
const url = `http://127.0.0.1:${port}`
const backend = await startBackend({
  databaseUrl: cluster.socketUrl,
  keys,
  siteUrl: url,
  dataDir,
  productName: 'Bench',
  // All members connect from one address.
  realtime: {
    limits: { connectionsPerAddress: 20_000, upgradesPerAddressPer10Seconds: 1_000_000 },
  },
  log: pino({ level: process.env.LOG_LEVEL ?? 'silent' }, pino.destination(2)),
})
await backend.app.listen({ port, host: '127.0.0.1' })
const exp = Math.floor(Date.now() / 1000) + ONE_DAY_S
const seats = await Promise.all(
  ids.map(async (id) => ({
    id,
    token: await backend.tokens.sign({ sub: id, role: 'authenticated', exp, aud: 'authenticated' }),
  })),
)
console.log(JSON.stringify({ kind: 'ours', url, key: keys.publishableKey, chatId, seats }))
stopWhenTold(backend, cluster)

// Bypasses the triggers, which publish every new member to the whole team.
async function findOrMakeGroup(databaseUrl: string): Promise<{ chatId: string; ids: string[] }> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const found = await client.query<{ chatId: string; ids: string[] }>(
    `select chat_id as "chatId", array_agg(user_id order by user_id) as ids
     from private.chat_participants group by chat_id limit 1`,
  )
  let group = found.rows[0]
  if (!group) {
    group = { chatId: randomUUID(), ids: Array.from({ length: members }, () => randomUUID()) }
    await makeGroup(client, group)
  }
  await client.end()
  return group
}

async function makeGroup(client: pg.Client, { chatId, ids }: { chatId: string; ids: string[] }) {
  await client.query('begin')
  await client.query('set local session_replication_role = replica')
  await client.query(
    `insert into private.members (id, email, first_name, last_name)
     select id, id || '@example.com', 'Member', id::text from unnest($1::uuid[]) id`,
    [ids],
  )
  await client.query(
    `insert into public.chats (id, name, type, created_by) values ($1, 'Everybody', 'group', $2)`,
    [chatId, ids[0]],
  )
  await client.query(
    `insert into private.chat_participants (chat_id, user_id) select $1, id from unnest($2::uuid[]) id`,
    [chatId, ids],
  )
  await client.query('commit')
  await client.query('analyze')
}
