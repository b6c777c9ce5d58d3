import { bringsRows, type Attempts, type Occasion } from './rights-cases.ts'

/** The table as a client could ask for it: it is not exposed. */
const table = ({ me }: Occasion) => me.client.schema('private').from('audit_log')

/** The state of an entry of its own before and after an attempt on all entries. */
async function changesAnEntry(occasion: Occasion, attempt: () => PromiseLike<unknown>) {
  const { sql } = occasion.scene.team
  const [entry] = await sql<{ id: string }>(
    `insert into private.audit_log (kind, action) values ('chat', 'created') returning id`,
  )
  await attempt()
  const left = await sql('select from private.audit_log where id = $1 and action = $2', [
    entry?.id,
    'created',
  ])
  return left.length === 0
}

export const auditLogAttempts: Attempts = {
  'read it with audit_entries': async ({ me, scene }) => {
    await scene.team.sql(`insert into private.audit_log (kind, action) values ('chat', 'created')`)
    return bringsRows(me.client.rpc('audit_entries'))
  },
  'see with setting_changes who changed a setting': async ({ me, scene }) => {
    await scene.team.sql(
      'update public.team_settings set seen_by_enabled = not seen_by_enabled where true',
    )
    return bringsRows(me.client.rpc('setting_changes'))
  },
  'select entries': (occasion) => bringsRows(table(occasion).select('*')),
  'insert an entry': (occasion) =>
    bringsRows(table(occasion).insert({ kind: 'chat', action: 'created' }).select()),
  'update an entry': (occasion) =>
    changesAnEntry(occasion, () => table(occasion).update({ action: 'deleted' }).gt('id', 0)),
  'delete an entry': (occasion) =>
    changesAnEntry(occasion, () => table(occasion).delete().gt('id', 0)),
  'change a role without an entry': async ({ me, scene }) => {
    const { id } = scene.cast.member
    const { sql } = scene.team
    const count = async () => {
      const [row] = await sql<{ entries: number }>(
        `select count(*)::int as entries from private.audit_log where kind = 'member' and object_id = $1`,
        [id],
      )
      return row?.entries ?? 0
    }
    const before = await count()
    const done = await bringsRows(
      me.client.from('users').update({ role: 'admin' }).eq('id', id).select(),
    )
    const recorded = (await count()) - before
    await sql("update private.members set role = 'user' where id = $1", [id])
    return done && recorded === 0
  },
}
