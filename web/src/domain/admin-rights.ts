import { queryOptions } from '@tanstack/react-query'
import { callFunction } from '#data/call-function.ts'

/**
 * Whether the member has an admin's rights in this session: where the team asks for it, an admin has them only after
 * showing a second factor (product.md P18).
 */
export const adminRightsQuery = (userId: string, assurance: string) =>
  queryOptions({
    queryKey: ['team_settings', 'admin rights', userId, assurance],
    queryFn: ({ signal }) => callFunction('acts_as_admin', {}, signal),
    // Without a response the screens open, and the database refuses.
    retry: false,
  })
