import { queryOptions } from '@tanstack/react-query'
import type { Row } from '#data/database.ts'
import { keptOnDevice } from '#data/kept/kept-queries.ts'
import { database } from '#data/supabase.ts'

export type HomeItem = Pick<
  Row<'home_content'>,
  'id' | 'title' | 'description' | 'url' | 'image_url' | 'image_alt'
>

/** What the leaders publish on Home, in their order. */
export const homeContentQuery = () =>
  queryOptions({
    ...keptOnDevice(),
    queryKey: ['home_content'],
    queryFn: async ({ signal }) => {
      const { data } = await database
        .from('home_content')
        .select('id, title, description, url, image_url, image_alt')
        .eq('is_active', true)
        .order('sort_order')
        .order('title')
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })
