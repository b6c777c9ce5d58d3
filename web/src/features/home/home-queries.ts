import { queryOptions } from '@tanstack/react-query'
import type { Row } from '#data/database.ts'
import { READS_OFFLINE, readCopyFirst } from '#data/kept/offline-copy.ts'
import { database } from '#data/supabase.ts'

export type HomeItem = Pick<
  Row<'home_content'>,
  'id' | 'title' | 'description' | 'url' | 'image_url' | 'image_alt'
>

/** What the leaders publish on Home, in their order. */
export const homeContentQuery = () =>
  queryOptions({
    ...READS_OFFLINE,
    queryKey: ['home_content'],
    queryFn: ({ signal }) =>
      readCopyFirst('home_content', async () => {
        const { data } = await database
          .from('home_content')
          .select('id, title, description, url, image_url, image_alt')
          .eq('is_active', true)
          .order('sort_order')
          .order('title')
          .abortSignal(signal)
          .throwOnError()
        return data
      }),
  })
