import { randomUUID } from 'node:crypto'
import { sealAll } from './archive-records.ts'
import { bringsRows, succeeds, type Attempts, type Occasion } from './rights-cases.ts'

/** The archive as a client could ask for it: it is not exposed. */
const records = ({ me }: Occasion) => me.client.schema('archive').from('records')

/** Whether an attempt on all records and seals changed any. Postgres gives an updated row a new `xmin`. */
async function changesTheArchive({ scene }: Occasion, attempt: () => PromiseLike<unknown>) {
  const { team } = scene
  await sealAll(team)
  const [last] = await team.sql<{ number: string; to_seq: string }>(
    'select number, to_seq from archive.last_seal()',
  )
  if (!last) throw new Error('nothing is sealed')
  const state = () =>
    team.sql(
      `select records, seals
       from (select count(*), sum(xmin::text::bigint) from archive.records where seq <= $1) records,
         (select count(*), sum(xmin::text::bigint) from archive.seals where number <= $2) seals`,
      [last.to_seq, last.number],
    )
  const before = await state()
  await attempt()
  return JSON.stringify(await state()) !== JSON.stringify(before)
}

const placeHold = ({ me, squad }: Occasion) =>
  me.client.rpc('place_legal_hold', { reason: 'Case', chat_id: squad.id, hold_id: randomUUID() })

async function holdsOf({ scene, squad }: Occasion, state: string) {
  const found = await scene.team.sql(`select from archive.holds where chat_id = $1 and ${state}`, [
    squad.id,
  ])
  return found.length > 0
}

export const archiveAttempts: Attempts = {
  'select records': (occasion) => bringsRows(records(occasion).select('*')),
  'insert a record': (occasion) =>
    bringsRows(
      records(occasion)
        .insert({ kind: 'message.sent', actor_role: 'x', audience: 'chat', content: {} })
        .select(),
    ),
  'update records': (occasion) =>
    changesTheArchive(occasion, () => records(occasion).update({ content: {} }).gt('seq', 0)),
  'delete records': (occasion) =>
    changesTheArchive(occasion, () => records(occasion).delete().gt('seq', 0)),
  'update or delete seals': (occasion) =>
    changesTheArchive(occasion, async () => {
      const seals = () => occasion.me.client.schema('archive').from('seals')
      await seals().update({ hash: '\\x00' }).gt('number', 0)
      await seals().delete().gt('number', 0)
    }),
  'edit, remove or erase a message without a record': async ({ me, scene, squad }) => {
    const { team } = scene
    const count = async () => {
      const [row] = await team.sql<{ records: number }>(
        'select count(*)::int as records from archive.records where subject_id = $1',
        [squad.teamMessageId],
      )
      return row?.records ?? 0
    }
    const messages = () => me.client.from('chat_messages')
    for (const attempt of [
      () => messages().update({ message: 'edited' }),
      () => messages().update({ is_deleted: true, deleted_reason: 'Off topic' }),
      () => messages().delete(),
    ]) {
      const before = await count()
      const done = await bringsRows(attempt().eq('id', squad.teamMessageId).select())
      if (done && (await count()) === before) return true
    }
    return false
  },
  'place a hold with place_legal_hold': async (occasion) => {
    await placeHold(occasion)
    return holdsOf(occasion, 'lifted_at is null')
  },
  'lift a hold with lift_legal_hold': async (occasion) => {
    const { me, scene, squad } = occasion
    const id = randomUUID()
    await scene.team.sql(
      `insert into archive.holds (id, chat_id, reason) values ($1, $2, 'Case')`,
      [id, squad.id],
    )
    await me.client.rpc('lift_legal_hold', { hold_id: id, reason: 'Settled' })
    return holdsOf(occasion, 'lifted_at is not null')
  },
  'list holds with legal_holds': async ({ me, scene, squad }) => {
    await scene.team.sql(
      `insert into archive.holds (id, chat_id, reason) values ($1, $2, 'Case')`,
      [randomUUID(), squad.id],
    )
    return bringsRows(me.client.rpc('legal_holds'))
  },
  'find Squad with find_groups': ({ me }) =>
    bringsRows(me.client.rpc('find_groups', { query: 'squad' })),
  'see with archive_retention how long records are kept': ({ me }) =>
    bringsRows(me.client.rpc('archive_retention')),
  'change that with set_archive_retention': ({ me }) =>
    succeeds(me.client.rpc('set_archive_retention', { category: 'message', years: 6 })),
  'learn the last seal with archive_head': async (occasion) => {
    await sealAll(occasion.scene.team)
    return bringsRows(occasion.me.client.rpc('archive_head'))
  },
  'make searchable with index_archive': ({ me }) => succeeds(me.client.rpc('index_archive')),
  'seal with seal_archive': ({ me }) => succeeds(me.client.rpc('seal_archive')),
  'queue what is to be reviewed with review_new_messages': ({ me }) =>
    succeeds(me.client.rpc('review_new_messages')),
  'prune with prune_archive': ({ me }) => succeeds(me.client.rpc('prune_archive')),
  'take files to read with take_archive_files': ({ me }) =>
    succeeds(me.client.rpc('take_archive_files')),
  'record what a file consists of with record_archive_file': ({ me }) =>
    succeeds(me.client.rpc('record_archive_file', { path: 'none' })),
}
