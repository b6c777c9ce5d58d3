import { useQuery } from '@tanstack/react-query'
import { callFunction } from '#data/call-function.ts'
import { READS_OFFLINE, readCopyFirst } from '#data/kept/offline-copy.ts'
import { memberName } from '#domain/member-name.ts'
import { m } from '#lib/messages/messages.js'

/** The name of who brought the member in; keeps its line while it loads. */
export function OwnSponsor({ userId }: { userId: string }) {
  const { data, error } = useQuery({
    ...READS_OFFLINE,
    queryKey: ['users', 'own sponsor', userId],
    queryFn: () => readCopyFirst(`sponsor ${userId}`, readSponsor),
  })
  if (!data) return error ? m.app_unknown_for_now() : '\u00a0'
  return data.data ? memberName({ ...data.data, email: null }) : m.profile_sponsor_left()
}

/** Null if nobody above the member is on the team any more. */
async function readSponsor() {
  const [sponsor] = await callFunction('my_sponsor')
  return sponsor ?? null
}
