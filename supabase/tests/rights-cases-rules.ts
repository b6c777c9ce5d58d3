// The house rules: read by everybody, written by admins, accepted by each member alone.
import { bringsRows, succeeds, type Attempts, type Occasion } from './rights-cases.ts'

async function isAccepted({ scene, me }: Occasion) {
  const found = await scene.team.sql(
    'delete from private.rule_acceptances where member_id::text = $1 returning 1',
    [me.id],
  )
  return found.length > 0
}

export const ruleAttempts: Attempts = {
  'read them with house_rules': ({ me }) => bringsRows(me.client.rpc('house_rules')),
  'accept them with accept_house_rules': async (occasion) => {
    await occasion.me.client.rpc('accept_house_rules', { version: 1 })
    return isAccepted(occasion)
  },
  'change them with save_house_rules': ({ me }) =>
    succeeds(me.client.rpc('save_house_rules', { body: 'Be kind', contact: '' })),
}
