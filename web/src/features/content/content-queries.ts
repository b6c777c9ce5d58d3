import { queryOptions } from '@tanstack/react-query'
import type { Row } from '#data/database.ts'
import { keptOnDevice } from '#data/kept/kept-queries.ts'
import { database } from '#data/supabase.ts'
import type { Meeting } from './meeting.ts'

export type ContentItem = Pick<
  Row<'training_content'>,
  | 'id'
  | 'title'
  | 'description'
  | 'url'
  | 'image_url'
  | 'image_alt'
  | 'category'
  | 'sort_order'
  | 'updated_at'
>

const ITEM = 'id, title, description, url, image_url, image_alt, category, sort_order, updated_at'
const MEETING = `${ITEM}, day_of_week, start_time, end_time, meeting_id, meeting_password` as const

type ItemTable = 'training_content' | 'licensing_content' | 'newrepstart_content'

/** The active items of a table or of one of its categories, in order. */
const itemsQuery = (table: ItemTable, category?: string) =>
  queryOptions({
    ...keptOnDevice(),
    queryKey: [table, { category }],
    queryFn: async ({ signal }) => {
      const { data } = await database
        .from(table)
        .select(ITEM)
        .match(category ? { category, is_active: true } : { is_active: true })
        .order('sort_order')
        .order('title')
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })

export const trainingQuery = (category: string) => itemsQuery('training_content', category)
export const licensingQuery = (category: string) => itemsQuery('licensing_content', category)
export const newRepStartQuery = () => itemsQuery('newrepstart_content')

/** What each category of a table holds, for the list of categories. */
const categoriesQuery = (table: 'training_content' | 'licensing_content') =>
  queryOptions({
    ...keptOnDevice(),
    queryKey: [table, 'categories'],
    queryFn: async ({ signal }) => {
      const { data } = await database
        .from(table)
        .select('category, updated_at')
        .eq('is_active', true)
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })

export const trainingCategoriesQuery = () => categoriesQuery('training_content')
export const licensingCategoriesQuery = () => categoriesQuery('licensing_content')

export type ScheduledMeeting = Meeting & ContentItem

export const scheduleQuery = () =>
  queryOptions({
    ...keptOnDevice(),
    queryKey: ['schedule_content', 'active'],
    queryFn: async ({ signal }) => {
      const { data } = await database
        .from('schedule_content')
        .select(MEETING)
        .eq('is_active', true)
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })
