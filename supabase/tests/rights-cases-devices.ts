import { randomUUID } from 'node:crypto'
import { bringsRows, succeeds, type Attempts, type Occasion } from './rights-cases.ts'
import { call } from './team.ts'

const member = ({ scene }: Occasion) => scene.cast.member.id

async function aDevice({ scene }: Occasion): Promise<{ id: string; token: string }> {
  const token = `fcm-${randomUUID()}`
  await scene.team.sql("update public.push_channels set is_on = true, public_key = 'key'")
  const [device] = await scene.team.sql<{ id: string }>(
    `insert into public.push_devices (user_id, platform, channel, token)
     values ($1, 'android', 'fcm', $2) returning id`,
    [scene.cast.member.id, token],
  )
  if (!device) throw new Error('no device was made')
  return { id: device.id, token }
}

const isGone = async ({ scene }: Occasion, id: string) =>
  (await scene.team.sql('select from public.push_devices where id = $1', [id])).length === 0

const settings = ({ me }: Occasion) => me.client.from('notification_settings')
const withSettings = ({ scene }: Occasion) =>
  scene.team.sql(
    'insert into public.notification_settings (user_id) values ($1) on conflict do nothing',
    [scene.cast.member.id],
  )
const withoutSettings = ({ scene }: Occasion) =>
  scene.team.sql('delete from public.notification_settings')

export const deviceAttempts: Attempts = {
  "select the member's push_devices": async (occasion) => {
    const { id } = await aDevice(occasion)
    const columns = 'id, platform, label, last_seen_at'
    return bringsRows(occasion.me.client.from('push_devices').select(columns).eq('id', id))
  },
  "select the token of the member's device": async (occasion) => {
    const { id } = await aDevice(occasion)
    return bringsRows(occasion.me.client.from('push_devices').select('token').eq('id', id))
  },
  "delete the member's device": async (occasion) => {
    const { id } = await aDevice(occasion)
    await occasion.me.client.from('push_devices').delete().eq('id', id)
    return isGone(occasion, id)
  },
  'register a device with register_push_device': ({ me }) =>
    succeeds(
      me.client.rpc('register_push_device', { token: `fcm-${randomUUID()}`, platform: 'android' }),
    ),
  "take the member's device away with remove_push_device": async (occasion) => {
    const { id, token } = await aDevice(occasion)
    await occasion.me.client.rpc('remove_push_device', { token })
    return isGone(occasion, id)
  },
  "send a test to the member's device with send_test_push": async (occasion) => {
    const { id } = await aDevice(occasion)
    return succeeds(occasion.me.client.rpc('send_test_push', { device_id: id }))
  },
  "select the member's notification_settings": async (occasion) => {
    await withSettings(occasion)
    return bringsRows(settings(occasion).select('*').eq('user_id', member(occasion)))
  },
  "insert the member's notification_settings": async (occasion) => {
    await withoutSettings(occasion)
    return bringsRows(
      settings(occasion)
        .insert({ user_id: member(occasion) })
        .select(),
    )
  },
  "update the member's notification_settings": async (occasion) => {
    await withSettings(occasion)
    const change = settings(occasion).update({ messages: true })
    return bringsRows(change.eq('user_id', member(occasion)).select())
  },
  'select push_channels': ({ me }) => bringsRows(me.client.from('push_channels').select('*')),
  'see what was sent with push_health': ({ me }) => bringsRows(me.client.rpc('push_health')),
  'read the key to subscribe with push_public_key': async (occasion) => {
    await aDevice(occasion)
    return (await call<string>(occasion.me, 'push_public_key')).data === 'key'
  },
  'say what can be sent with report_push_channels': ({ me }) =>
    succeeds(me.client.rpc('report_push_channels', { channels: [] })),
  'take what is to be sent with claim_push_deliveries': ({ me }) =>
    succeeds(me.client.rpc('claim_push_deliveries', { channels: [] })),
  'say what was sent with settle_push_deliveries': ({ me }) =>
    succeeds(me.client.rpc('settle_push_deliveries', { results: [] })),
}
