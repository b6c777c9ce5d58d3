// Two-step verification. The caller has a second factor and an aal2 session, unless the case says otherwise.
import type { SupabaseClient } from '@supabase/supabase-js'
import {
  adminsNeedFactor,
  aDevice,
  aFactor,
  noFactor,
  type Assurance,
} from './assurance-sessions.ts'
import { succeeds, type Attempts, type Occasion } from './rights-cases.ts'
import type { Person } from './team.ts'

type Try = (client: SupabaseClient) => Promise<boolean>

/** Members try in a session of their own; nobody and the secret key as they are. */
async function withFactor({ me, role, scene }: Occasion, aal: Assurance, attempt: Try) {
  if (role === 'anonymous' || role === 'service') return attempt(me.client)
  await aFactor(scene.team, me)
  try {
    return await attempt((await aDevice(scene.team, me, aal)).client)
  } finally {
    await noFactor(scene.team, me)
  }
}

const isTrue = async (request: PromiseLike<{ data: unknown }>) => (await request).data === true

/** A recovery code of a member, made by the member. */
async function aCodeOf(member: Person, { scene: { team } }: Occasion): Promise<string> {
  const { client } = await aDevice(team, member, 'aal2')
  const codes = await client.rpc('create_recovery_codes').throwOnError()
  return (codes.data as string[])[0] ?? ''
}

/** Tries a code of the member's in the caller's own aal1 session. */
const redeem = async (occasion: Occasion) => {
  const { member } = occasion.scene.cast
  await aFactor(occasion.scene.team, member)
  const code = await aCodeOf(member, occasion)
  try {
    return await withFactor(occasion, 'aal1', async (client) => {
      const result = await client.rpc('use_recovery_code', { code })
      return result.data !== null
    })
  } finally {
    await noFactor(occasion.scene.team, member)
  }
}

export const secondFactorAttempts: Attempts = {
  'find that acts_as_admin is true': ({ me }) => isTrue(me.client.rpc('acts_as_admin')),
  'make recovery codes with create_recovery_codes': (occasion) =>
    withFactor(occasion, 'aal2', (client) => succeeds(client.rpc('create_recovery_codes'))),
  'make recovery codes with create_recovery_codes, no code shown': (occasion) =>
    withFactor(occasion, 'aal1', (client) => succeeds(client.rpc('create_recovery_codes'))),
  'count the own with recovery_codes_left': (occasion) =>
    withFactor(occasion, 'aal2', (client) => succeeds(client.rpc('recovery_codes_left'))),
  "get in with the member's recovery code and use_recovery_code": redeem,
  "take away the member's second factor with reset_second_factor": async (occasion) => {
    const { team, cast } = occasion.scene
    await aFactor(team, cast.member)
    try {
      return await withFactor(occasion, 'aal2', (client) =>
        isTrue(
          client.rpc('reset_second_factor', { member_id: cast.member.id, reason: 'Lost phone' }),
        ),
      )
    } finally {
      await noFactor(team, cast.member)
    }
  },
  'take away the own second factor with reset_second_factor': (occasion) =>
    withFactor(occasion, 'aal2', (client) =>
      isTrue(client.rpc('reset_second_factor', { member_id: occasion.me.id, reason: 'Mine' })),
    ),
  'take the mails about accounts with claim_account_mails': ({ me }) =>
    succeeds(me.client.rpc('claim_account_mails')),
  'ask admins for a second factor in team_settings': async (occasion) => {
    const { team } = occasion.scene
    const attempt: Try = async (client) => {
      const { data } = await client
        .from('team_settings')
        .update({ admins_need_second_factor: true })
        .eq('id', true)
        .select('id')
      return (data?.length ?? 0) > 0
    }
    try {
      return await withFactor(occasion, 'aal2', attempt)
    } finally {
      await adminsNeedFactor(team, false)
    }
  },
}
