import { queryOptions } from '@tanstack/react-query'
import { READS_OFFLINE, readWithOfflineCopy } from '#lib/offline-copy.ts'
import { database } from '#lib/supabase.ts'
import type { Meeting } from './meeting.ts'

export type ContentItem = {
  id: string
  title: string
  description: string | null
  url: string | null
  image_url: string | null
  image_alt: string | null
  category: string
  sort_order: number
}

const ITEM = 'id, title, description, url, image_url, image_alt, category, sort_order'
const MEETING = `${ITEM}, day_of_week, start_time, end_time, meeting_id, meeting_password`

type ItemTable = 'training_content' | 'licensing_content' | 'newrepstart_content'

/** The active items of a table, or of one of its categories, in their order. */
const itemsQuery = (table: ItemTable, category?: string) =>
  queryOptions({
    ...READS_OFFLINE,
    queryKey: [table, { category }],
    queryFn: ({ signal }) =>
      readWithOfflineCopy(category ? `${table} ${category}` : table, async () => {
        const { data } = await database
          .from(table)
          .select(ITEM)
          .match(category ? { category, is_active: true } : { is_active: true })
          .order('sort_order')
          .order('title')
          .retry(false)
          .abortSignal(signal)
          .throwOnError()
          .overrideTypes<ContentItem[], { merge: false }>()
        return data
      }),
  })

export const trainingQuery = (category: string) => itemsQuery('training_content', category)
export const licensingQuery = (category: string) => itemsQuery('licensing_content', category)
export const newRepStartQuery = () => itemsQuery('newrepstart_content')

export type ScheduledMeeting = Meeting & ContentItem

export const scheduleQuery = () =>
  queryOptions({
    ...READS_OFFLINE,
    queryKey: ['schedule_content', 'active'],
    queryFn: ({ signal }) =>
      readWithOfflineCopy('schedule_content', async () => {
        const { data } = await database
          .from('schedule_content')
          .select(MEETING)
          .eq('is_active', true)
          .retry(false)
          .abortSignal(signal)
          .throwOnError()
          .overrideTypes<ScheduledMeeting[], { merge: false }>()
        return data
      }),
  })

/** The one time zone in which the schedule is written (reading 26). */
export const teamTimeZoneQuery = () =>
  queryOptions({
    ...READS_OFFLINE,
    queryKey: ['team_settings', 'time_zone'],
    queryFn: ({ signal }) =>
      readWithOfflineCopy('team_settings', async () => {
        const { data } = await database
          .from('team_settings')
          .select('time_zone')
          .retry(false)
          .abortSignal(signal)
          .single<{ time_zone: string }>()
          .throwOnError()
        return data.time_zone
      }),
  })
