import type { Member } from './members.ts'

/** Publishes a notice to this member, which has to be acknowledged unless said otherwise. */
export async function publish(
  { client }: Pick<Member, 'client'>,
  title: string,
  { id }: Member,
  must_acknowledge = true,
) {
  const body = 'We meet upstairs from now on.'
  await client
    .from('team_notices')
    .insert({ title, body, audience: 'members', audience_members: [id], must_acknowledge })
    .throwOnError()
}
