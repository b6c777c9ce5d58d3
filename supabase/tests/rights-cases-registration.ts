// How somebody comes onto the team.
import { randomUUID } from 'node:crypto'
import { bringsRows, succeeds, type Attempts, type Occasion } from './rights-cases.ts'
import { call } from './team.ts'

/** Somebody who waits to be let in. */
async function aNewcomer({ scene }: Occasion): Promise<string> {
  const id = randomUUID()
  await scene.team.sql(
    `insert into private.members (id, email, first_name, status, status_changed_at)
     values ($1, $2, 'Nell', 'waiting', now())`,
    [id, `${id}@example.com`],
  )
  // What has to be acknowledged needs an account behind each member.
  return id
}

async function decides(occasion: Occasion, status: string): Promise<boolean> {
  const member_id = await aNewcomer(occasion)
  await occasion.me.client.rpc('set_member_status', { member_id, status, reason: '' })
  const [row] = await occasion.scene.team.sql<{ status: string }>(
    'select status from private.members where id = $1',
    [member_id],
  )
  return row?.status === status
}

export const registrationAttempts: Attempts = {
  'see who waits to be let in in users': async (occasion) => {
    const id = await aNewcomer(occasion)
    return bringsRows(occasion.me.client.from('users').select('id').eq('id', id))
  },
  'list who waits with list_members': async (occasion) => {
    await aNewcomer(occasion)
    return bringsRows(occasion.me.client.rpc('list_members', { filter: 'waiting' }))
  },
  'find who waits with my_notifications': async (occasion) => {
    const id = await aNewcomer(occasion)
    const { data } = await call<{ id: string }[]>(occasion.me, 'my_notifications')
    return (data ?? []).some((each) => each.id === id)
  },
  'mark who waits as seen with mark_newcomers_seen': async ({ me, scene }) => {
    const seenAt = async () => {
      const [row] = await scene.team.sql<{ at: string }>(
        'select newcomers_seen_at::text as at from private.members where id = $1',
        [me.id || randomUUID()],
      )
      return row?.at
    }
    const before = await seenAt()
    await me.client.rpc('mark_newcomers_seen')
    return (await seenAt()) !== before
  },
  'let in who waits with set_member_status': (occasion) => decides(occasion, 'active'),
  'decline who waits with set_member_status': (occasion) => decides(occasion, 'declined'),
  'have who was declined wait again': async (occasion) => {
    const member_id = await aNewcomer(occasion)
    const set = (status: string) =>
      occasion.scene.team.sql('update private.members set status = $2 where id = $1', [
        member_id,
        status,
      ])
    await set('declined')
    return succeeds(
      occasion.me.client.rpc('set_member_status', { member_id, status: 'waiting', reason: '' }),
    )
  },
  'read the own status with my_membership': ({ me }) => bringsRows(me.client.rpc('my_membership')),
  'ask to be let in with join_team': ({ me }) => succeeds(me.client.rpc('join_team')),
  'become admin with claim_team, where there is one': async ({ me }) =>
    (await call<boolean>(me, 'claim_team', { code: 'guess' })).data === true,
  'ask sign_up_outcome what a new account becomes': ({ me }) =>
    bringsRows(me.client.rpc('sign_up_outcome', { domain: 'example.com' })),
}
