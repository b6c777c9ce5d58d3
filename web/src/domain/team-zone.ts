import { queryOptions } from '@tanstack/react-query'
import { keptOnDevice } from '#data/kept/kept-queries.ts'
import { database } from '#data/supabase.ts'

/** The time zone of the schedule (product.md P42). */
export const teamZoneQuery = () =>
  queryOptions({
    ...keptOnDevice(),
    queryKey: ['team_settings', 'time_zone'],
    queryFn: async ({ signal }) => {
      const { data } = await database
        .from('team_settings')
        .select('time_zone')
        .abortSignal(signal)
        .single()
        .throwOnError()
      return data.time_zone
    },
  })
