import { queryOptions } from '@tanstack/react-query'
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
    queryKey: ['home_content'],
    queryFn: async () => {
      const { data } = await database
        .from('home_content')
        .select('id, title, description, url, image_url, image_alt')
        .eq('is_active', true)
        .order('sort_order')
        .throwOnError()
        .overrideTypes<HomeItem[], { merge: false }>()
      return data
    },
  })

/** The team's two vice presidents are its first two admins. */
export const vicePresidentsQuery = () =>
  queryOptions({
    queryKey: ['users', 'vice-presidents'],
    queryFn: async () => {
      const { data } = await database
        .from('users')
        .select('id, first_name, last_name')
        .eq('role', 'admin')
        .eq('is_active', true)
        .order('created_at')
        .limit(2)
        .throwOnError()
        .overrideTypes<VicePresident[], { merge: false }>()
      return data
    },
  })
