import { randomUUID } from 'node:crypto'
import { workerStep } from './review-scene.ts'
import { mayJoin } from './rights-cases-live-topics.ts'
import { anImage } from './rights-cases-chat-extras.ts'
import { bringsRows, succeeds, type Attempts, type Occasion } from './rights-cases.ts'
import { call } from './team.ts'

/** A promise that the member made in Squad, in the queue. */
async function anItem({ scene, squad }: Occasion) {
  await scene.team.sql('update private.review_worker set percent = 0')
  await scene.team.sql(
    `insert into public.chat_messages (chat_id, sender_id, message) values ($1, $2, 'Guaranteed returns')`,
    [squad.id, scene.cast.member.id],
  )
  await workerStep(scene.team)
  const [item] = await scene.team.sql<{ id: string; version: number }>(
    'select id, version from private.review_items where chat_id = $1',
    [squad.id],
  )
  return { item_id: item?.id, if_version: item?.version }
}

const isDecided = async ({ scene }: Occasion, id: string | undefined, state: string) =>
  (await scene.team.sql(`select from private.review_items where id = $1 and ${state}`, [id]))
    .length > 0

const look = ({ me, squad }: Occasion, look_id: string) =>
  me.client.rpc('look_at_chat', { chat_id: squad.id, reason: 'Complaint', look_id })

/** What nobody may do without `can_supervise`. */
export const supervisionAttempts: Attempts = {
  'find that acts_as_supervisor is true': ({ me }) =>
    bringsRows(me.client.rpc('acts_as_supervisor')),
  'read the queue with review_queue, review_counts and review_item': async (occasion) => {
    const { item_id } = await anItem(occasion)
    const { client } = occasion.me
    const results = await Promise.all([
      bringsRows(client.rpc('review_queue', { max_results: 200 })),
      bringsRows(client.rpc('review_counts')),
      bringsRows(client.rpc('review_item', { item_id })),
    ])
    if (new Set(results).size > 1) throw new Error(`results differ: ${results.join()}`)
    return results[0] === true
  },
  'count what waits with reviews_waiting': async (occasion) => {
    await anItem(occasion)
    return bringsRows(occasion.me.client.rpc('reviews_waiting'))
  },
  'receive on their own supervisor topic that the queue changed': (occasion) =>
    mayJoin(occasion, `supervisor:${occasion.me.id}`),
  'see what was said around an item with open_review_item and look_messages': async (occasion) => {
    const { item_id } = await anItem(occasion)
    const { client } = occasion.me
    const opened = await call<string>(occasion.me, 'open_review_item', { item_id })
    return bringsRows(client.rpc('look_messages', { look_id: opened.data }))
  },
  'read Squad with look_at_chat and look_messages': async (occasion) => {
    const id = randomUUID()
    await look(occasion, id)
    return bringsRows(occasion.me.client.rpc('look_messages', { look_id: id }))
  },
  'see an image that was sent in Squad, while a look at it lasts': async (occasion) => {
    const path = await anImage(occasion)
    await occasion.scene.team.sql('insert into archive.files (path, message_id) values ($1, $2)', [
      path,
      randomUUID(),
    ])
    await look(occasion, randomUUID())
    const { data } = await occasion.me.client.storage.from('chat-images').download(path)
    return data !== null
  },
  'find Squad with find_chats': ({ me }) =>
    bringsRows(me.client.rpc('find_chats', { query: 'squad' })),
  'note something about an item with note_review_item': async (occasion) => {
    const { item_id } = await anItem(occasion)
    return succeeds(occasion.me.client.rpc('note_review_item', { item_id, note: 'Hm' }))
  },
  'give an item to themselves with assign_review_item': async (occasion) => {
    const { me } = occasion
    const item = await anItem(occasion)
    await me.client.rpc('assign_review_item', { ...item, assignee: me.id || randomUUID() })
    return isDecided(occasion, item.item_id, 'assigned_to is not null')
  },
  'decide an item with decide_review_item': async (occasion) => {
    const item = await anItem(occasion)
    await occasion.me.client.rpc('decide_review_item', { ...item, outcome: 'fine', note: '' })
    return isDecided(occasion, item.item_id, "outcome = 'fine'")
  },
  'open a decided item with reopen_review_item': async (occasion) => {
    const item = await anItem(occasion)
    await occasion.scene.team.sql(
      "update private.review_items set outcome = 'fine', closed_at = now() where id = $1",
      [item.item_id],
    )
    await occasion.me.client.rpc('reopen_review_item', { ...item, note: 'Again' })
    return isDecided(occasion, item.item_id, 'closed_at is null')
  },
  'read and try the lexicon with lexicon and test_lexicon': async ({ me }) => {
    const words = 'Guaranteed returns'
    const results = await Promise.all([
      bringsRows(me.client.rpc('lexicon')),
      bringsRows(me.client.rpc('test_lexicon', { words })),
    ])
    if (new Set(results).size > 1) throw new Error(`results differ: ${results.join()}`)
    return results[0] === true
  },
  'change the lexicon with save_lexicon_entry': ({ me }) =>
    succeeds(
      me.client.rpc('save_lexicon_entry', {
        entry_id: randomUUID(),
        language: 'en',
        category: 'other',
        phrase: 'never said',
      }),
    ),
  'see how much is drawn at random with review_sampling': ({ me }) =>
    bringsRows(me.client.rpc('review_sampling')),
  'change that with set_review_sampling': ({ me }) =>
    succeeds(me.client.rpc('set_review_sampling', { percent: 0 })),
  'read the figures with review_figures': ({ me }) => bringsRows(me.client.rpc('review_figures')),
  'search the archive with search_archive': ({ me }) =>
    bringsRows(me.client.rpc('search_archive', { reason: 'Examination' })),
  'take a result out with export_search': ({ me }) =>
    bringsRows(me.client.rpc('export_search', { reason: 'Examination' })),
}
