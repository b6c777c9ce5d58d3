import { useQuery } from '@tanstack/react-query'
import { callFunction } from '#data/call-function.ts'
import { keptOnDevice } from '#data/kept/kept-queries.ts'
import { memberName } from '#domain/member-name.ts'
import { m } from '#lib/messages/messages.js'

/** The name of who brought the member in; keeps its line while it loads. */
export function OwnSponsor({ userId }: { userId: string }) {
  const { data, error } = useQuery({
    ...keptOnDevice(),
    queryKey: ['users', 'own sponsor', userId],
    queryFn: readSponsor,
  })
  if (data === undefined) return error ? m.app_unknown_for_now() : '\u00a0'
  return data ? memberName({ ...data, email: null }) : m.profile_sponsor_left()
}

/** Null if nobody above the member is on the team any more. */
async function readSponsor() {
  const [sponsor] = await callFunction('my_sponsor')
  return sponsor ?? null
}
