// Search everything at size: a team of 10,000, a million messages in 51 chats, words as frequent as in a language, and what
// the index of words costs an insert. MESSAGES=100000 for a smaller run. Prints a table for README.md.
import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { GuardedClient } from 'backend/postgres/guarded-client.ts'
import { startProductDatabase } from './product-database.ts'

const MESSAGES = Number(process.env.MESSAGES ?? 1_000_000)
const MEMBERS = 10_000
const BATCH = 50_000
const RUNS = 15

const memberId = (n: string) => `('00000000-0000-4000-8000-' || lpad((${n})::text, 12, '0'))::uuid`
const chatId = (n: string) => `('11111111-0000-4000-8000-' || lpad((${n})::text, 12, '0'))::uuid`

/** What is asked, by whom: Member 1 is in all chats, Member 9,000 in the team chat and one more. */
const QUESTIONS: [string, number, string][] = [
  ['the most common word', 1, `'appointment'`],
  ['the most common word, in few chats', 9000, `'appointment'`],
  ['two common words', 1, `'appointment morning'`],
  ['a common word and a rare one', 1, `'appointment quetzal'`],
  ['a word of 1 message in 100', 1, `'word110'`],
  ['a word of 1 message in 1,000', 1, `'word800'`],
  ['a word of 10 messages', 1, `'quetzal'`],
  ['a word that nobody said', 1, `'xylophone'`],
  ['a word that nobody said, with a common beginning', 1, `'wordy nonsense'`],
  ['two letters', 1, `'ap'`],
  ['a beginning that every other word has', 1, `'wor'`],
  ['a common word with a typo', 1, `'apointment'`],
  ['a rare word with a typo', 1, `'qeutzal'`],
  ['three words with typos', 1, `'apointment mornign quezal'`],
  ['a name', 1, `'henderson'`],
  ['a name with a typo', 1, `'hendreson'`],
  ['a phrase', 1, `'"good morning"'`],
  ['a common word without another', 1, `'appointments -morning'`],
  ['a common word of one person', 1, `'appointment', 'Member 17'`],
  ['a common word in one chat', 1, `'appointment', '', 'Chat 7'`],
  ['all of one person, before a day', 1, `'', 'Member 17', '', now() - interval '100 days'`],
  ['images with a common word', 1, `'appointment', '', '', 'infinity', true`],
  ['200 characters', 1, `repeat('appointment morning word1 word2 ', 10)`],
]

const dataDir = await mkdtemp(join(tmpdir(), 'bench-search-'))
const { cluster } = await startProductDatabase(dataDir)
const client = new GuardedClient({ connectionString: cluster.url })
await client.connect()
const sql = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await client.query<Row>(text, values)).rows
const rows: string[][] = []

try {
  await fill()
  for (const [what, who, args] of QUESTIONS) await ask(what, who, args)
  await compareInserts()
} finally {
  await client.end()
  await cluster.stop()
  await rm(dataDir, { recursive: true, force: true })
}
console.log(
  `${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}, ${MESSAGES.toLocaleString('en-US')} messages\n`,
)
console.log('| Search | CPU, ms | Most, ms | Found |\n| --- | ---: | ---: | ---: |')
for (const cells of rows) console.log(`| ${cells.join(' | ')} |`)

/** Word n of 5,000 is in about every n-th message; half of all messages are in the team chat. */
async function fill() {
  await sql('set session_replication_role = replica')
  await sql(`
    insert into private.members (id, email, first_name, last_name, admitted_at)
    select ${memberId('n')}, n || '@example.com', case n % 500 when 3 then 'Henderson' else 'Member' end, n::text, now()
    from generate_series(1, ${MEMBERS}) n`)
  await sql(`
    insert into public.chats (id, name, type, created_by)
    select ${chatId('n')}, 'Chat ' || n, 'group', ${memberId('1')} from generate_series(1, 50) n`)
  await sql(`
    insert into private.chat_participants (chat_id, user_id)
    select c.id, m.id from public.chats c join private.members m on c.type = 'mandatory'
      or m.last_name::int <= 20 or m.last_name::int % 50 = substr(c.name, 6)::int - 1`)
  await sql('drop index public.chat_messages_words')
  const [index] = await sql<{ mandatory: string }>(
    'select private.mandatory_chat_id() as mandatory',
  )
  for (let from = 0; from < MESSAGES; from += BATCH) {
    await sql(
      `insert into public.chat_messages (chat_id, sender_id, message, sent_at, attachment)
       select case when n % 2 = 0 then $1 else ${chatId('1 + n / 2 % 50')} end, ${memberId('1 + n % 20')},
         concat_ws(' ', case n % 3 when 0 then 'appointments' end, case n % 20 when 3 then 'good morning' end,
           case n % (${MESSAGES} / 10) when 7 then 'quetzal' end,
           (select string_agg('word' || floor(exp(random() * ln(5000)))::int, ' ') from generate_series(1, 8) where n > 0)),
         now() - interval '400 days' + n * (interval '400 days' / ${MESSAGES}),
         case n % 50 when 5 then '{}'::jsonb end
       from generate_series($2::int, $3::int) n`,
      [index?.mandatory, from + 1, Math.min(from + BATCH, MESSAGES)],
    )
  }
  await sql('set session_replication_role = origin')
  await sql(
    'create index chat_messages_words on public.chat_messages using gin (private.message_words(message)) where not is_deleted',
  )
  await sql('vacuum analyze')
}

/** As the member, in CPU time of the Postgres process, which other work on the machine does not change much. The first run warms up. */
async function ask(what: string, who: number, args: string) {
  await sql(
    `select set_config('request.jwt.claims', json_build_object('role', 'authenticated', 'sub', ${memberId(`${who}`)})::text, false)`,
  )
  const times: number[] = []
  let found = 0
  for (let run = 0; run <= RUNS; run++) {
    const before = await cpuTime()
    const [row] = await sql<{ found: number }>(
      `select count(*) filter (where kind <> 'older')::int as found from public.search_everything(${args})`,
    )
    if (run > 0) times.push((await cpuTime()) - before)
    found = row?.found ?? 0
  }
  times.sort((one, other) => one - other)
  const figures = [times[RUNS >> 1], times.at(-1)].map((ms) => (ms ?? NaN).toFixed(1))
  rows.push([what, ...figures, String(found)])
  console.error(rows.at(-1)?.join(' | '))
}

/** Milliseconds. */
async function cpuTime(): Promise<number> {
  const [read] = await sql<{ stat: string }>(`select pg_read_file('/proc/self/schedstat') as stat`)
  return Number(read?.stat.split(' ')[0]) / 1e6
}

/** CPU time of one insert with all triggers, with the index of images and without, in turns. */
async function compareInserts() {
  const inserts = 1000
  const samples: Record<'with' | 'without', number[]> = { with: [], without: [] }
  for (let round = 0; round <= 6; round++) {
    for (const kind of ['with', 'without'] as const) {
      await sql('begin')
      if (kind === 'without') await sql('drop index public.chat_messages_images')
      const before = await cpuTime()
      await sql(`do $do$ begin for n in 1..${inserts} loop
        perform set_config('request.jwt.claims', json_build_object(
          'role', 'authenticated', 'sub', ${memberId('1 + n % 20')})::text, true);
        insert into public.chat_messages (chat_id, sender_id, message)
        values (${chatId('1 + n % 50')}, ${memberId('1 + n % 20')}, 'Message number ' || n || ' about the calls of the day');
        end loop; end $do$`)
      if (round > 0) samples[kind].push((((await cpuTime()) - before) * 1000) / inserts)
      await sql('rollback')
    }
  }
  const [on, off] = (['with', 'without'] as const).map(
    (kind) => samples[kind].toSorted((one, other) => one - other)[3] ?? NaN,
  )
  console.error(
    `An insert: ${off?.toFixed(0)} µs without the index of images, ${on?.toFixed(0)} µs with it`,
  )
}
