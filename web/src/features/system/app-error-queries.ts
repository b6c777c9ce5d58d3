import { queryOptions } from '@tanstack/react-query'
import { callFunction } from '#data/call-function.ts'

/** For admins: uncaught errors of the app on members' devices, the latest first. */
export const appErrorsQuery = () =>
  queryOptions({
    queryKey: ['app_error_list'],
    queryFn: ({ signal }) => callFunction('app_error_list', {}, signal),
  })
