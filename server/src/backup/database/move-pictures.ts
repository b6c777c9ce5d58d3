import type { GuardedClient } from 'backend/postgres/guarded-client.ts'

/**
 * Pictures of content are stored with their whole address, which is another one after a move. Those of other sites stay.
 * @param objects the table with the names of our files
 */
export async function movePictures(client: GuardedClient, publicUrl: string, objects: string) {
  const { rows } = await client.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name
     from pg_attribute a
     join pg_class c on c.oid = a.attrelid
     join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'public' and c.relkind = 'r' and a.attname = 'image_url'`,
  )
  for (const { name } of rows) {
    await client.query(
      `update ${name} set image_url = $1 || substring(image_url from '^https?://[^/]+(/storage/v1/.+)$')
       where substring(image_url from '^https?://[^/]+/storage/v1/object/public/images/(.+)$')
         in (select o.name from ${objects} o where o.bucket_id = 'images')`,
      [publicUrl],
    )
  }
}
