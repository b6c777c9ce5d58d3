// A member's own data: goals, activity, and New Rep Start progress.
import { randomUUID } from 'node:crypto'
import { bringsRows, succeeds, type Attempts, type Occasion } from './rights-cases.ts'
import { call } from './team.ts'

const member = ({ scene }: Occasion) => scene.cast.member.id
const GOAL = { position: 'representative', metric: 'cash', value: 3000, period: 'month' }

/** A goal of the member with one entry; the next call replaces both. */
async function aGoal(occasion: Occasion): Promise<{ goalId: string; entryId: string }> {
  const { sql } = occasion.scene.team
  await sql('delete from public.goals where user_id = $1', [member(occasion)])
  const [row] = await sql<{ goalId: string; entryId: string }>(
    `with goal as (
       insert into public.goals (user_id, position, metric, value, period)
       values ($1, 'representative', 'cash', 3000, 'month') returning id
     ), entry as (
       insert into public.goal_activity (user_id, goal_id, stage, happened_on)
       select $1, id, 'sales', current_date from goal returning id
     ) select goal.id as "goalId", entry.id as "entryId" from goal, entry`,
    [member(occasion)],
  )
  if (!row) throw new Error('no goal was made')
  return row
}

/** A step of New Rep Start, optionally ticked by the member. */
async function aStep(occasion: Occasion, { isTicked = false } = {}): Promise<string> {
  const { sql } = occasion.scene.team
  const id = randomUUID()
  await sql("insert into public.newrepstart_content (id, title) values ($1, 'Step')", [id])
  if (isTicked)
    await sql('insert into public.onboarding_progress (user_id, item_id) values ($1, $2)', [
      member(occasion),
      id,
    ])
  return id
}

const ofMember = (occasion: Occasion, table: string) =>
  bringsRows(occasion.me.client.from(table).select('*').eq('user_id', member(occasion)))

/** The member has saved a message of Squad, and nobody else has. */
async function aSavedMessage({ scene: { team, cast }, squad }: Occasion) {
  await team.sql('delete from public.saved_messages')
  await team.sql('insert into public.saved_messages (user_id, message_id) values ($1, $2)', [
    cast.member.id,
    squad.messageId,
  ])
}

const saveFor = ({ me, squad }: Occasion, user_id: string | null) =>
  succeeds(me.client.from('saved_messages').insert({ message_id: squad.messageId, user_id }))

export const ownAttempts: Attempts = {
  "select the member's saved_messages": async (occasion) => {
    await aSavedMessage(occasion)
    return ofMember(occasion, 'saved_messages')
  },
  'save a message of Squad': (occasion) => saveFor(occasion, occasion.me.id || null),
  'save a message of Squad for somebody else': (occasion) =>
    saveFor(occasion, occasion.scene.cast[occasion.role === 'other' ? 'creator' : 'other'].id),
  "remove the member's saved message": async (occasion) => {
    await aSavedMessage(occasion)
    const own = { user_id: member(occasion), message_id: occasion.squad.messageId }
    return bringsRows(
      occasion.me.client.from('saved_messages').delete().match(own).select('saved_at'),
    )
  },
  "find the member's saved message with my_saved_messages": async (occasion) => {
    await aSavedMessage(occasion)
    return bringsRows(occasion.me.client.rpc('my_saved_messages'))
  },
  "select the member's chat_drafts": async (occasion) => {
    await occasion.scene.team.sql(
      `insert into public.chat_drafts (user_id, chat_id, message, written_at)
       values ($1, $2, 'Half a thought', now())`,
      [member(occasion), occasion.squad.id],
    )
    return ofMember(occasion, 'chat_drafts')
  },
  "write into the member's chat_drafts": (occasion) =>
    bringsRows(
      occasion.me.client
        .from('chat_drafts')
        .insert({
          user_id: member(occasion),
          chat_id: occasion.squad.id,
          message: 'Not theirs',
          written_at: new Date().toISOString(),
        })
        .select(),
    ),
  'save a draft in Squad with save_draft': ({ me, squad }) =>
    bringsRows(
      me.client.rpc('save_draft', {
        chat_id: squad.id,
        message: 'Half a thought',
        age_ms: 0,
        device: randomUUID(),
      }),
    ),
  "select the member's goals": async (occasion) => {
    await aGoal(occasion)
    return ofMember(occasion, 'goals')
  },
  'insert a goal of the member': async (occasion) => {
    await occasion.scene.team.sql('delete from public.goals where user_id = $1', [member(occasion)])
    const row = { ...GOAL, user_id: member(occasion) }
    return bringsRows(occasion.me.client.from('goals').insert(row).select())
  },
  "end the member's goal": async (occasion) => {
    const { goalId } = await aGoal(occasion)
    const goals = occasion.me.client.from('goals')
    const ended_at = new Date(Date.now() + 1000).toISOString()
    return bringsRows(goals.update({ ended_at }).eq('id', goalId).select())
  },
  "change what the member's goal is": async (occasion) => {
    const { goalId } = await aGoal(occasion)
    return bringsRows(
      occasion.me.client.from('goals').update({ value: 1 }).eq('id', goalId).select(),
    )
  },
  'save a goal with save_goal': ({ me }) => succeeds(me.client.rpc('save_goal', GOAL)),
  "select the member's goal_activity": async (occasion) => {
    await aGoal(occasion)
    return ofMember(occasion, 'goal_activity')
  },
  'insert goal_activity of the member': async (occasion) => {
    const { goalId } = await aGoal(occasion)
    const entry = { stage: 'sales', happened_on: '2026-11-20' }
    const row = { ...entry, user_id: member(occasion), goal_id: goalId }
    return bringsRows(occasion.me.client.from('goal_activity').insert(row).select())
  },
  "delete the member's goal_activity": async (occasion) => {
    const { entryId } = await aGoal(occasion)
    return bringsRows(occasion.me.client.from('goal_activity').delete().eq('id', entryId).select())
  },
  "find the member's activity with activity_totals": async (occasion) => {
    await aGoal(occasion)
    const others = 'delete from public.goals where user_id <> $1'
    await occasion.scene.team.sql(others, [member(occasion)])
    return bringsRows(occasion.me.client.rpc('activity_totals', { since: '2026-01-01' }))
  },
  "select the member's onboarding_progress": async (occasion) => {
    await aStep(occasion, { isTicked: true })
    return ofMember(occasion, 'onboarding_progress')
  },
  'tick a step for the member': async (occasion) => {
    const row = { user_id: member(occasion), item_id: await aStep(occasion) }
    return succeeds(occasion.me.client.from('onboarding_progress').insert(row))
  },
  "take back the member's tick": async (occasion) => {
    const item_id = await aStep(occasion, { isTicked: true })
    const ticks = occasion.me.client.from('onboarding_progress')
    return bringsRows(
      ticks
        .delete()
        .match({ user_id: member(occasion), item_id })
        .select(),
    )
  },
  "see everybody's steps with onboarding_overview": ({ me }) =>
    bringsRows(me.client.rpc('onboarding_overview')),
  'take a copy of the own data with export_my_data': async ({ me }) => {
    const { data } = await call<{ profile: { id: string } | null }>(me, 'export_my_data')
    return data?.profile?.id === me.id
  },
  'take back the own change of address with cancel_my_email_change': ({ me }) =>
    succeeds(me.client.rpc('cancel_my_email_change')),
  'delete the own account with delete_my_account, no password typed': ({ me }) =>
    succeeds(me.client.rpc('delete_my_account')),
}
