import { queryOptions } from '@tanstack/react-query'
import { readWithOfflineCopy } from '#lib/offline-copy.ts'
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

/** Offline, a query must run all the same: it is what finds the copy. */
const READS_OFFLINE = { networkMode: 'always', retry: false } as const

type CategorisedTable = 'training_content' | 'licensing_content'

/** The active items of one category, in their order. */
export const categoryQuery = (table: CategorisedTable, category: string) =>
  queryOptions({
    ...READS_OFFLINE,
    queryKey: [table, { category }],
    queryFn: ({ signal }) =>
      readWithOfflineCopy(`${table} ${category}`, async () => {
        const { data } = await database
          .from(table)
          .select(ITEM)
          .eq('category', category)
          .eq('is_active', true)
          .order('sort_order')
          .order('title')
          .abortSignal(signal)
          .throwOnError()
          .overrideTypes<ContentItem[], { merge: false }>()
        return data
      }),
  })

export const newRepStartQuery = () =>
  queryOptions({
    ...READS_OFFLINE,
    queryKey: ['newrepstart_content', 'active'],
    queryFn: ({ signal }) =>
      readWithOfflineCopy('newrepstart_content', async () => {
        const { data } = await database
          .from('newrepstart_content')
          .select(ITEM)
          .eq('is_active', true)
          .order('sort_order')
          .order('title')
          .abortSignal(signal)
          .throwOnError()
          .overrideTypes<ContentItem[], { merge: false }>()
        return data
      }),
  })

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
          .abortSignal(signal)
          .single<{ time_zone: string }>()
          .throwOnError()
        return data.time_zone
      }),
  })
