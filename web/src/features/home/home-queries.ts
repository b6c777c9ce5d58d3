import { queryOptions } from '@tanstack/react-query'
import { READS_OFFLINE, readWithOfflineCopy } from '#lib/offline-copy.ts'
import { database } from '#lib/supabase.ts'

export type HomeItem = {
  id: string
  title: string
  description: string | null
  url: string | null
  image_url: string | null
  image_alt: string | null
}

export type VicePresident = { id: string; first_name: string; last_name: string }

/** What the leaders publish on Home, in their order. */
export const homeContentQuery = () =>
  queryOptions({
    ...READS_OFFLINE,
    queryKey: ['home_content'],
    queryFn: ({ signal }) =>
      readWithOfflineCopy('home_content', async () => {
        const { data } = await database
          .from('home_content')
          .select('id, title, description, url, image_url, image_alt')
          .eq('is_active', true)
          .order('sort_order')
          .order('title')
          .retry(false)
          .abortSignal(signal)
          .throwOnError()
          .overrideTypes<HomeItem[], { merge: false }>()
        return data
      }),
  })

/** The team's two vice presidents are its first two admins. */
export const vicePresidentsQuery = () =>
  queryOptions({
    ...READS_OFFLINE,
    queryKey: ['users', 'vice-presidents'],
    queryFn: ({ signal }) =>
      readWithOfflineCopy('vice-presidents', async () => {
        const { data } = await database
          .from('users')
          .select('id, first_name, last_name')
          .eq('role', 'admin')
          .eq('is_active', true)
          .order('created_at')
          .limit(2)
          .retry(false)
          .abortSignal(signal)
          .throwOnError()
          .overrideTypes<VicePresident[], { merge: false }>()
        return data
      }),
  })
