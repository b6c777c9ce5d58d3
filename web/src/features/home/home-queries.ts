import { queryOptions } from '@tanstack/react-query'
import { READS_OFFLINE, readCopyFirst } from '#lib/offline/offline-copy.ts'
import type { Row } from '#lib/supabase/database.ts'
import { database } from '#lib/supabase/supabase.ts'

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
