// An installation as after years of use: members in chats, messages archived, sealed and indexed, images where the storage
// service keeps them.
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'

export const MEMBERS = 500
const CHATS = 50
const BATCH = 10_000
/** Of images that phones make smaller before they send them, in kB; one in ten is an animation. */
const IMAGE_KB = [60, 120, 180, 250, 300, 350, 400, 450, 500, 2500]
const AT_ONCE = 8

export const memberId = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
export const chatId = (n: number) => `11111111-0000-4000-8000-${String(n).padStart(12, '0')}`
const messageId = (n: number) => `22222222-0000-4000-8000-${String(n).padStart(12, '0')}`

const MEMBER_IDS = `select n, ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid as id
  from generate_series(1, ${MEMBERS}) n`

/** Members in chats, with the password of the demo team. */
export async function addMembers(client: pg.Client): Promise<void> {
  await client.query('set session_replication_role = replica')
  await client.query(`insert into auth.users (id, aud, role, email, encrypted_password, email_confirmed_at, created_at,
      updated_at, raw_app_meta_data, raw_user_meta_data)
    select i.id, 'authenticated', 'authenticated', 'm' || n || '@example.com', u.encrypted_password, now(), now(),
      now(), u.raw_app_meta_data, jsonb_build_object('first_name', 'Member', 'last_name', n::text)
    from (${MEMBER_IDS}) i, auth.users u where u.email = 'maya.ortiz@example.com'`)
  await client.query(`insert into private.members (id, email, first_name, last_name, admitted_at)
    select id, 'm' || n || '@example.com', 'Member', n::text, now() from (${MEMBER_IDS}) i`)
  await client.query('reset session_replication_role')
  await addChats(client)
}

/** The first twenty members are in all chats, the others in one each. */
export async function addChats(client: pg.Client): Promise<void> {
  await client.query(`insert into public.chats (id, name, type, created_by)
    select ('11111111-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'Chat ' || n, 'group', '${memberId(1)}'
    from generate_series(1, ${CHATS}) n`)
  await client.query(`insert into private.chat_participants (chat_id, user_id)
    select ('11111111-0000-4000-8000-' || lpad(c::text, 12, '0'))::uuid, i.id
    from generate_series(1, ${CHATS}) c join (${MEMBER_IDS}) i on i.n <= 20 or i.n % ${CHATS} = c - 1
    on conflict do nothing`)
}

type Image = { name: string; version: string; bytes: number; sha256: string; message: string }

/** Images of every `every`th message, until they come to `megabytes`. */
export async function addImages(
  client: pg.Client,
  dataDir: string,
  megabytes: number,
  every: number,
): Promise<Image[]> {
  const noise = randomBytes(Math.max(...IMAGE_KB) * 1000)
  const images: Image[] = []
  let bytes = 0
  async function addOne() {
    const n = (images.length + 1) * every
    const size = (IMAGE_KB[images.length % IMAGE_KB.length] ?? 0) * 1000
    const version = randomUUID()
    const content = Buffer.concat([Buffer.from(version), noise.subarray(0, size - 36)])
    const sha256 = createHash('sha256').update(content).digest('hex')
    const name = `${chatId(1 + (n % CHATS))}/${messageId(n)}.jpg`
    images.push({ name, version, bytes: size, sha256, message: messageId(n) })
    bytes += size
    const folder = join(dataDir, 'storage/objects', version.slice(0, 2))
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, version), content)
  }
  const write = async () => {
    while (bytes < megabytes * 1e6) await addOne()
  }
  await Promise.all(Array.from({ length: AT_ONCE }, write))
  await client.query('set session_replication_role = replica')
  await client.query(
    `insert into storage.objects (bucket_id, name, version, metadata)
     select 'chat-images', i.name, i.version, jsonb_build_object('eTag', '"' || left(i.sha256, 32) || '"',
       'size', i.bytes, 'mimetype', 'image/jpeg', 'cacheControl', 'max-age=3600', 'lastModified', now(),
       'contentLength', i.bytes, 'httpStatusCode', 200)
     from jsonb_to_recordset($1) i (name text, version text, bytes int, sha256 text)`,
    [JSON.stringify(images)],
  )
  await client.query('reset session_replication_role')
  return images
}

/** With the archive's triggers alone: the others act on members who are there to see a message. */
export async function onlyArchived(client: pg.Client, write: () => Promise<void>): Promise<void> {
  await client.query('alter table public.chat_messages disable trigger user')
  for (const name of ['archive_sent', 'archive_file'])
    await client.query(`alter table public.chat_messages enable trigger ${name}`)
  await write()
  await client.query('alter table public.chat_messages enable trigger user')
}

export async function addMessages(client: pg.Client, messages: number, images: Image[]) {
  await client.query(
    `create temp table images as select i.message::uuid as id,
       jsonb_build_object('path', i.name, 'width', 1600, 'height', 1200) as attachment
     from jsonb_to_recordset($1) i (message text, name text)`,
    [JSON.stringify(images)],
  )
  await client.query('analyze images')
  await onlyArchived(client, async () => {
    for (let from = 1; from <= messages; from += BATCH)
      await client.query(
        `insert into public.chat_messages (id, chat_id, sender_id, message, attachment)
       select m.id, ('11111111-0000-4000-8000-' || lpad((1 + n % ${CHATS})::text, 12, '0'))::uuid,
         ('00000000-0000-4000-8000-' || lpad((1 + n % 20)::text, 12, '0'))::uuid,
         'Message number ' || n || ' about the calls of the day and who takes the next one.', i.attachment
       from generate_series($1::int, $2::int) n
       cross join lateral (select ('22222222-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid) m (id)
       left join images i on i.id = m.id`,
        [from, Math.min(messages, from + BATCH - 1)],
      )
  })
}

/** What the server would do within the next hours. */
export async function keepArchive(client: pg.Client, images: Image[]) {
  await recordFiles(client, images)
  for (const name of ['seal_archive', 'index_archive', 'review_new_messages', 'seal_archive'])
    await untilDone(client, name)
  await client.query('vacuum analyze')
  await client.query('checkpoint')
}

/** The server reads the bytes and does the same. */
export const recordFiles = (client: pg.Client, images: Image[]) =>
  client.query(
    `select public.record_archive_file(i.name, i.sha256, i.bytes)
     from jsonb_to_recordset($1) i (name text, sha256 text, bytes int)`,
    [JSON.stringify(images)],
  )

/** Calls a function of the archive's worker until it has nothing left, each time in a transaction of its own. */
export async function untilDone(client: pg.Client, name: string): Promise<void> {
  for (let isDone = false; !isDone;) {
    const { rows } = await client.query<{ answer: { is_done: boolean } }>(
      `select public.${name}() as answer`,
    )
    isDone = rows[0]?.answer.is_done ?? true
  }
}
