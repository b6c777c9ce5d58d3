import { randomUUID } from 'node:crypto'
import { bringsRows, type Attempts, type Occasion } from './rights-cases.ts'

export const CONTENT = ['home', 'training', 'newrepstart', 'licensing', 'schedule'] as const
export type ContentType = (typeof CONTENT)[number]

/** A complete, valid item of the type. */
export function anItem(type: ContentType, some: Record<string, unknown> = {}) {
  return {
    title: 'Item',
    ...(type === 'training' && { category: 'First appointment' }),
    ...(type === 'licensing' && { category: 'Securities license' }),
    ...(type === 'schedule' && { start_time: '09:00', end_time: '10:00' }),
    ...some,
  }
}

// The same for all five types.
async function forEachType(
  occasion: Occasion,
  attempt: (
    table: string,
    id: string,
    type: ContentType,
  ) => PromiseLike<{ data: unknown; error: unknown }>,
  { isActive = true } = {},
): Promise<boolean> {
  const outcomes: boolean[] = []
  for (const type of CONTENT) {
    const table = `${type}_content`
    const id = randomUUID()
    const item = anItem(type, { id, is_active: isActive })
    const columns = Object.keys(item)
    await occasion.scene.team.sql(
      `insert into public.${table} (${columns.join()}) values (${columns.map((_, n) => `$${n + 1}`).join()})`,
      Object.values(item),
    )
    outcomes.push(await bringsRows(attempt(table, id, type)))
  }
  if (new Set(outcomes).size > 1) throw new Error(`content differs: ${outcomes.join()}`)
  return outcomes[0] ?? false
}

export const contentAttempts: Attempts = {
  'select active items': (occasion) =>
    forEachType(occasion, (table, id) => occasion.me.client.from(table).select('*').eq('id', id)),
  'select retired items': (occasion) =>
    forEachType(occasion, (table, id) => occasion.me.client.from(table).select('*').eq('id', id), {
      isActive: false,
    }),
  'insert an item': (occasion) =>
    forEachType(occasion, (table, _id, type) =>
      occasion.me.client.from(table).insert(anItem(type)).select(),
    ),
  'update an item': (occasion) =>
    forEachType(occasion, (table, id) =>
      occasion.me.client.from(table).update({ title: 'New', sort_order: 3 }).eq('id', id).select(),
    ),
  'retire an item': (occasion) =>
    forEachType(occasion, (table, id) =>
      occasion.me.client.from(table).update({ is_active: false }).eq('id', id).select(),
    ),
  'delete an item for good': (occasion) =>
    forEachType(occasion, (table, id) =>
      occasion.me.client.from(table).delete().eq('id', id).select(),
    ),
  'select team_settings': ({ me }) => bringsRows(me.client.from('team_settings').select('*')),
  'update team_settings': ({ me }) =>
    bringsRows(
      me.client
        .from('team_settings')
        .update({ time_zone: 'Europe/Madrid' })
        .eq('id', true)
        .select(),
    ),
  'insert another team_settings': ({ me }) =>
    bringsRows(me.client.from('team_settings').insert({ id: false }).select()),
  'delete team_settings': ({ me }) =>
    bringsRows(me.client.from('team_settings').delete().eq('id', true).select()),
}
