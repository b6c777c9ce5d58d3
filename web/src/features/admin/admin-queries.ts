import { queryOptions } from '@tanstack/react-query'
import { database } from '#lib/supabase.ts'
import { changesOf, rowOf, type ChangedFields, type ContentForm } from './content-form.ts'
import type { ContentType } from './content-types.ts'
import type { ManagedItem } from './managed-item.ts'

export const userCountQuery = () =>
  queryOptions({
    queryKey: ['users', 'count'],
    queryFn: async ({ signal }) => {
      const answer = await database.rpc('get_user_count').abortSignal(signal).throwOnError()
      return Number(answer.data)
    },
  })

/** The active or the deleted items of a type, by sort order (spec section 7; the deleted ones are reading 18). */
export const managedItemsQuery = (type: ContentType, isActive: boolean) =>
  queryOptions({
    queryKey: [type.table, 'managed', { isActive }],
    queryFn: async ({ signal }) => {
      const { data } = await database
        .from(type.table)
        .select('*')
        .eq('is_active', isActive)
        .order('sort_order')
        .abortSignal(signal)
        .throwOnError()
        .overrideTypes<ManagedItem[], { merge: false }>()
      return data
    },
  })

export async function insertItem(type: ContentType, form: ContentForm): Promise<void> {
  await database.from(type.table).insert(rowOf(type, form)).throwOnError()
}

export type SaveResult =
  | { result: 'saved' }
  /** Somebody saved or deleted the item since it was opened here; nothing was written. */
  | { result: 'conflict'; current: ManagedItem | null }

/** Writes only over the version that was opened, so that the second of two admins is told. A deleted item returns. */
export async function updateItem(
  type: ContentType,
  item: ManagedItem,
  form: ContentForm,
  changed: ChangedFields,
): Promise<SaveResult> {
  const { data: written } = await database
    .from(type.table)
    .update({ ...changesOf(type, form, changed), ...(item.is_active ? {} : { is_active: true }) })
    .eq('id', item.id)
    .eq('version', item.version)
    .select('id')
    .throwOnError()
    .overrideTypes<{ id: string }[], { merge: false }>()
  if (written.length > 0) return { result: 'saved' }
  const { data: current } = await database
    .from(type.table)
    .select('*')
    .eq('id', item.id)
    .maybeSingle<ManagedItem>()
    .throwOnError()
  return { result: 'conflict', current }
}

/** Deleting is hiding: a deleted item can be restored. */
export async function setItemActive(type: ContentType, id: string, isActive: boolean) {
  await database.from(type.table).update({ is_active: isActive }).eq('id', id).throwOnError()
}

export async function reorderItems(type: ContentType, ids: string[]): Promise<void> {
  await database.rpc('reorder_content', { content_type: type.id, item_ids: ids }).throwOnError()
}

export const teamZoneQuery = () =>
  queryOptions({
    queryKey: ['team_settings', 'zone'],
    queryFn: async ({ signal }) => {
      const { data } = await database
        .from('team_settings')
        .select('time_zone')
        .abortSignal(signal)
        .single<{ time_zone: string }>()
        .throwOnError()
      return data.time_zone
    },
  })

export async function setTeamZone(zone: string): Promise<void> {
  await database.from('team_settings').update({ time_zone: zone }).eq('id', true).throwOnError()
}
