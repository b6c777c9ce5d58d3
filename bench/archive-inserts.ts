// What the archive costs the sender of a message: its triggers, and the worker that seals, indexes and reviews meanwhile.
import { setTimeout as wait } from 'node:timers/promises'
import { createRunAsRole, type RunAsRole } from 'backend/postgres/run-as-role.ts'
import type pg from 'pg'
import { addMessages, CHAT, SENDER, TEXT } from './archive-fill.ts'
import { memberId, untilDone } from './backup-fill.ts'
import { usageOf } from './process-usage.ts'

const ROUNDS = 5
const INSERTS = 1_000
const SENDING = 4
const PER_S = 200
const CALM_MS = 5_000
const BACKLOG = 40_000

/** As the server calls them, one after the other. */
const WORK = ['seal_archive', 'index_archive', 'review_new_messages'] as const

/** The SQL of an insert with and without the archive's triggers, in interleaved rounds. @returns µs, medians */
export async function compareTriggers(client: pg.Client): Promise<{ on: number; off: number }> {
  const triggers = ['archive_sent', 'archive_file']
  const samples: Record<'with' | 'without', number[]> = { with: [], without: [] }
  for (let round = 0; round <= ROUNDS; round++) {
    for (const kind of ['with', 'without'] as const) {
      for (const name of triggers)
        await client.query(
          `alter table public.chat_messages ${kind === 'with' ? 'enable' : 'disable'} trigger ${name}`,
        )
      await client.query('begin')
      const started = performance.now()
      // Each by its sender, as through the API: the archive names who is signed in.
      await client.query(`do $do$ begin for n in 1..${INSERTS} loop
        perform set_config('request.jwt.claims', json_build_object('role', 'authenticated', 'sub', ${SENDER})::text, true);
        insert into public.chat_messages (chat_id, sender_id, message) select ${CHAT}, ${SENDER}, ${TEXT}; end loop; end $do$`)
      // The first round warms up.
      if (round > 0) samples[kind].push(((performance.now() - started) * 1000) / INSERTS)
      // Else verifying would find messages that were never archived.
      await client.query('rollback')
    }
  }
  for (const name of triggers)
    await client.query(`alter table public.chat_messages enable trigger ${name}`)
  return { on: quantile(samples.with, 0.5), off: quantile(samples.without, 0.5) }
}

type Work = (typeof WORK)[number]
type ByWork = Record<Work, number>

/** CPU of Postgres for each message of a backlog, with nobody sending, in µs. */
export async function measureWork(client: pg.Client): Promise<ByWork> {
  const us: ByWork = { seal_archive: 0, index_archive: 0, review_new_messages: 0 }
  await addMessages(client, BACKLOG, [])
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const cpuS = () => usageOf([rows[0]?.pid ?? 0], false).cpuS
  for (const work of WORK) {
    const before = cpuS()
    await untilDone(client, work)
    us[work] = ((cpuS() - before) * 1e6) / BACKLOG
  }
  return us
}

export type Beside = {
  /** Milliseconds from when an insert was due until it was on disk. */
  took: Record<'calm' | Work, number[]>
  /** CPU of Postgres for an insert in calm, in µs. */
  insertUs: number
}

/**
 * Members send at a steady rate, by turns in calm and while the worker goes through a backlog without a pause. All of it as
 * from the server, whose writes share a wait for the disk.
 */
export async function insertBesideWorker(client: pg.Client, url: string): Promise<Beside> {
  const database = createRunAsRole(url, console.error)
  const took: Beside['took'] = {
    calm: [],
    seal_archive: [],
    index_archive: [],
    review_new_messages: [],
  }
  let insertS = 0
  await send(database, wait(1_000))
  for (let round = 0; round < ROUNDS; round++) {
    await addMessages(client, BACKLOG, [])
    await client.query('checkpoint')
    for (const phase of round % 2 ? ([...WORK, 'calm'] as const) : (['calm', ...WORK] as const)) {
      const before = await cpuOfOthers(client)
      const over = phase === 'calm' ? wait(CALM_MS) : workAsServer(database, phase)
      took[phase].push(...(await send(database, over)))
      if (phase === 'calm') insertS += (await cpuOfOthers(client)) - before
    }
  }
  await database.close()
  return { took, insertUs: (insertS * 1e6) / took.calm.length }
}

async function workAsServer(database: RunAsRole, name: Work) {
  const server = { role: 'service_role', claimsText: '{"role":"service_role"}' }
  for (;;) {
    const [row] = await database.rowsAs(server, {
      text: `select public.${name}() ->> 'is_done'`,
      values: [],
    })
    if (row?.[0] === 'true') return
  }
}

export const quantile = (values: number[], share: number): number =>
  values.toSorted((one, other) => one - other)[
    Math.min(values.length - 1, Math.floor(values.length * share))
  ] ?? NaN

/** CPU seconds so far of the connections other than this one. */
async function cpuOfOthers(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>(
    `select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
  )
  return usageOf(
    rows.map(({ pid }) => pid),
    false,
  ).cpuS
}

/** Four members send by turns until `over`. @returns milliseconds, from when each was due */
async function send(database: RunAsRole, over: Promise<unknown>): Promise<number[]> {
  const took: number[] = []
  const open: Promise<void>[] = []
  let isOver = false
  const ended = over.finally(() => (isOver = true))
  const started = performance.now()
  async function sendOne(n: number, due: number) {
    const id = memberId(1 + (n % SENDING))
    const claims = { role: 'authenticated', sub: id }
    await database.rowsAs(
      { role: 'authenticated', claimsText: JSON.stringify(claims), claims },
      {
        text: `insert into public.chat_messages (chat_id, sender_id, message)
          select ${CHAT}, $2::uuid, ${TEXT} from (values ($1::int)) each (n)`,
        values: [String(n), id],
      },
    )
    took.push(performance.now() - due)
  }
  for (let n = 0; !isOver; n++) {
    const due = started + (n * 1000) / PER_S
    await wait(Math.max(0, due - performance.now()))
    open.push(sendOne(n, due))
  }
  await ended
  await Promise.all(open)
  return took
}
