// A team whose messages the triggers archive: 500 members in 50 chats, of which the first twenty are in all
// chats. About one message in a thousand has an image.
import type pg from 'pg'
import { addChats, addImages, onlyArchived } from './backup-fill.ts'

const BATCH = 10_000
const MESSAGES_PER_IMAGE = 1_000
/** A tenth less than what addImages() comes to on average, so that each image finds its message. */
const IMAGE_MB = 0.423

export const TEXT = `'Message number ' || n || ' about the calls of the day and who takes the next one' || case n % 1000
  when 0 then ', a guaranteed return' else '' end || case n % 100000 when 7 then ' of quetzals' else '' end`
export const CHAT = `('11111111-0000-4000-8000-' || lpad((1 + n % 50)::text, 12, '0'))::uuid`
export const SENDER = `('00000000-0000-4000-8000-' || lpad((1 + n % 20)::text, 12, '0'))::uuid`

export async function addTeam(client: pg.Client): Promise<void> {
  // Without accounts to sign in with; searching for a person needs the record of joining.
  await client.query('alter table private.members enable always trigger archive_joined')
  await client.query('set session_replication_role = replica')
  await client.query(`
    insert into private.members (id, email, first_name, last_name, admitted_at)
    select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'm' || n || '@example.com', 'Member', n::text, now()
    from generate_series(1, 500) n`)
  await client.query('reset session_replication_role')
  await client.query('alter table private.members enable trigger archive_joined')
  await addChats(client)
}

export type Images = Awaited<ReturnType<typeof addImages>>

/** Images in the folder's store, for the first messages that will have one. */
export const addImagesFor = (client: pg.Client, dataDir: string, messages: number) =>
  addImages(client, dataDir, (messages / MESSAGES_PER_IMAGE) * IMAGE_MB, MESSAGES_PER_IMAGE)

/** What the other triggers of a message cost is measured elsewhere. */
export const addMessages = (client: pg.Client, messages: number, images: Images) =>
  onlyArchived(client, async () => {
    for (let from = 1; from <= messages; from += BATCH)
      await client.query(
        `insert into public.chat_messages (id, chat_id, sender_id, message, attachment)
         select coalesce(i.message, gen_random_uuid()), ${CHAT}, ${SENDER}, ${TEXT},
           case when i.name is not null then jsonb_build_object('path', i.name, 'width', 1600, 'height', 1200) end
         from generate_series($1::int, $2::int) n
         left join jsonb_to_recordset($3) i (message uuid, name text)
           on n % ${MESSAGES_PER_IMAGE} = 0
           and i.message = ('22222222-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid`,
        [from, Math.min(messages, from + BATCH - 1), JSON.stringify(images)],
      )
  })
