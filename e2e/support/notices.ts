import type { Member } from './members.ts'

/** Publishes a notice that this member has to acknowledge. */
export async function publish(admin: Member, title: string, { id }: Member) {
  await admin.client
    .from('team_notices')
    .insert({
      title,
      body: 'We meet upstairs from now on.',
      audience: 'members',
      audience_members: [id],
      must_acknowledge: true,
    })
    .throwOnError()
}
