import { queryOptions } from '@tanstack/react-query'
import { database } from '#data/supabase.ts'
import { memberName } from './member-name.ts'

/** The names of those who changed something, former members included, by their id. */
export const editorsQuery = (ids: string[]) =>
  queryOptions({
    queryKey: ['users', 'editors', ids],
    enabled: ids.length > 0,
    queryFn: async ({ signal }) => {
      const { data } = await database
        .from('users')
        .select('id, first_name, last_name, email')
        .in('id', ids)
        .abortSignal(signal)
        .throwOnError()
      return new Map(data.map((editor) => [editor.id, memberName(editor)]))
    },
  })
