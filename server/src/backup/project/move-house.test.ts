// Moving house: an installation goes into a Supabase project, and back.
import { randomBytes } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startHostedProject, type HostedProject } from '../../../testing/hosted-project.ts'
import {
  aFolder,
  anInstallation,
  LASTING_RECORDS,
  MAYA,
  PNG_HEAD,
  settingsFor,
  type Installation,
} from '../../../testing/an-installation.ts'
import { BackupError } from '../archive/errors.ts'
import { backupCommand, restoreCommand } from '../commands.ts'
import { silent } from '../progress.ts'
import { interruptible } from '../read-backup.ts'
import { restoreProject } from '../restore/restore-project.ts'

// Each starts Postgres several times, which takes a loaded machine seconds.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const picture = randomBytes(3000)
const photo = randomBytes(5000)
const toRemove: string[] = []
const projects: HostedProject[] = []
let team: Installation
let backup: string
let chatImage: string
let expected: Record<string, unknown>[]

async function anEmptyFolder() {
  const folder = await aFolder()
  toRemove.push(folder)
  return folder
}
async function aProject() {
  const project = await startHostedProject()
  projects.push(project)
  return project
}

async function run(
  command: typeof backupCommand,
  args: string[],
  dataDir: string,
  environment: Record<string, string> = {},
) {
  const lines: string[] = []
  await command(args, {
    settings: await settingsFor(dataDir, environment),
    signal: new AbortController().signal,
    print: (line) => void lines.push(line),
  })
  return lines.join('\n')
}

/** `npm run restore -- --to URL FILE`. */
const restoreInto = async (
  project: HostedProject,
  file = backup,
  environment: Record<string, string> = project.environment,
) => run(restoreCommand, ['--to', project.databaseUrl, file], await anEmptyFolder(), environment)

const COUNTS = `
  select (select count(*) from public.chat_messages) as messages, (select count(*) from auth.users) as accounts,
    (select count(*) from auth.identities) as identities, ${LASTING_RECORDS} as records,
    (select json_agg(u order by u.bucket_id, u.owner_id) from private.image_usage u) as usage,
    (select json_agg(u.name order by u.name) from private.unused_images u) as unused,
    (select json_agg(json_build_object('name', o.name, 'bucket', o.bucket_id, 'owner', o.owner_id, 'at', o.created_at) order by o.name)
     from storage.objects o) as files`

beforeAll(async () => {
  team = await anInstallation()
  await team.upload('one.png', picture)
  await team.upload('two.png', picture)
  const { user } = await team.signIn()
  await team.sql(`update public.home_content set image_url = 'https://old.example/storage/v1/object/public/images/one.png'
    where id = (select id from public.home_content order by id limit 1)`)
  await team.sql(`update public.home_content set image_url = 'https://old.example/storage/v1/object/public/images/not-ours.png'
    where id = (select id from public.home_content order by id desc limit 1)`)
  const [chat] = await team.sql<{ id: string }>(
    `select id from public.chats where type = 'mandatory'`,
  )
  chatImage = `${chat?.id}/${crypto.randomUUID()}.png`
  await team.upload(chatImage, photo, 'chat-images')
  await team.sql(
    `update storage.objects set owner_id = $1::text, owner = $1::text::uuid where bucket_id = 'chat-images'`,
    [user.id],
  )
  // Whatever kept it before, the archive keeps it now.
  await team.sql(
    `insert into archive.files (path, message_id, is_recorded) select $1, id, true from public.chat_messages limit 1`,
    [chatImage],
  )
  await team.sql(
    `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, created_at, updated_at, secret)
    values (gen_random_uuid(), (select id from auth.users where email <> $1 order by email limit 1), 'phone', 'totp', 'verified', now(), now(), 'JBSWY3DPEHPK3PXP')`,
    [MAYA],
  )
  expected = await team.sql(COUNTS)
  backup = await run(backupCommand, [await anEmptyFolder()], team.dataDir)
})
afterAll(async () => {
  await team?.close()
  for (const project of projects) await project.close()
  for (const each of toRemove) await rm(each, { recursive: true, force: true })
})

test('an installation moves into a hosted project with passwords, second factors, chats and files, and back into a folder', async () => {
  const project = await aProject()
  expect(await restoreInto(project)).toMatch(
    /^Restored .* into the project at http.* Everybody signs in again/,
  )
  expect(await project.sql(COUNTS)).toEqual(expected)
  expect((await project.file('images', 'one.png'))?.subarray(PNG_HEAD.length)).toEqual(picture)
  expect((await project.file('chat-images', chatImage))?.subarray(PNG_HEAD.length)).toEqual(photo)

  const accounts = `select id, aud, role, email, encrypted_password, email_confirmed_at, raw_app_meta_data from auth.users order by id`
  expect(await project.sql(accounts)).toEqual(await team.sql(accounts))
  const factors = `select id, user_id, factor_type, status, secret from auth.mfa_factors`
  expect(await project.sql(factors)).toEqual(await team.sql(factors))
  expect(
    await project.sql(`select from auth.users where instance_id is null or confirmation_token is null or recovery_token is null
    or email_change is null or email_change_token_new is null or email_change_token_current is null or reauthentication_token is null`),
  ).toEqual([])
  expect(
    await project.sql(
      `select to_regnamespace('restore_state') as left, to_regnamespace('platform') as platform`,
    ),
  ).toEqual([{ left: null, platform: null }])

  const images = await project.sql<{ image_url: string }>(
    `select image_url from public.home_content where image_url like '%/images/%.png' order by image_url`,
  )
  expect(images.map(({ image_url }) => image_url).sort()).toEqual(
    [
      `${project.environment.SUPABASE_URL}/storage/v1/object/public/images/one.png`,
      'https://old.example/storage/v1/object/public/images/not-ours.png',
    ].sort(),
  )
  // The triggers on files are awake again.
  await expect(
    project.sql(`update storage.objects set version = 'x' where bucket_id = 'chat-images'`),
  ).rejects.toThrow('The archive keeps this image')

  const elsewhere = { ...project.environment, DATABASE_URL: project.databaseUrl }
  const back = await run(backupCommand, [await anEmptyFolder()], await anEmptyFolder(), elsewhere)
  expect(await run(backupCommand, ['--verify', back], await anEmptyFolder())).toMatch(
    /^This backup is good/,
  )
  const dataDir = await anEmptyFolder()
  await run(restoreCommand, [back], dataDir, { SITE_URL: 'https://new.example' })
  const home = await anInstallation({ dataDir })
  try {
    expect(await home.sql(COUNTS)).toEqual(expected)
    expect((await home.signIn()).user.id).toBe((await team.signIn()).user.id)
    expect(await home.download('one.png')).toEqual(picture)
    expect(await home.download(chatImage, 'chat-images')).toEqual(photo)
    expect(
      await home.sql(
        `select count(*)::int from public.home_content where image_url = 'https://new.example/storage/v1/object/public/images/one.png'`,
      ),
    ).toEqual([{ count: 1 }])
  } finally {
    await home.stop()
  }
})

test('in a hosted project a recovery code hands out the only refresh token of its session, as the auth service there stores it', async () => {
  const project = await aProject()
  await restoreInto(project)
  const session = crypto.randomUUID()
  const [member] = await project.sql<{ id: string }>(
    `select user_id as id from auth.mfa_factors where status = 'verified'`,
  )
  await project.sql(
    `with opened as (
       insert into auth.sessions (id, user_id, aal, created_at, updated_at, refresh_token_hmac_key, refresh_token_counter)
       values ($1, $2::uuid, 'aal1', now(), now(), 'key', 3)
     ), coded as (
       insert into private.recovery_codes (user_id, code_hash) values ($2::uuid, extensions.crypt('aaaabbbbcccc', extensions.gen_salt('bf', 8)))
     )
     insert into auth.refresh_tokens (token, user_id, session_id, revoked) select 'copied', $2::text, $1, false`,
    [session, member?.id],
  )
  await project.sql(`select set_config('request.jwt.claims', $1, false)`, [
    JSON.stringify({ sub: member?.id, session_id: session, role: 'authenticated' }),
  ])
  await project.sql('set role authenticated')
  const [row] = await project.sql(`select use_recovery_code('aaaa-bbbb-cccc') as token`)
  await project.sql('reset role')
  expect(row?.token).toMatch(/^[0-9a-z]{12}$/)
  const left = `select t.token, t.revoked, s.aal, s.refresh_token_hmac_key as key, s.refresh_token_counter as counter
    from auth.sessions s left join auth.refresh_tokens t on t.session_id = s.id where s.id = $1`
  expect(await project.sql(left, [session])).toEqual([
    { token: row?.token, revoked: false, aal: 'aal2', key: null, counter: null },
  ])
})

test('a move that was interrupted in the files goes on with the same command, and uploads none twice', async () => {
  const project = await aProject()
  project.state.failing = 0
  const whole = await readFile(backup)
  const cut = `${await anEmptyFolder()}/cut.tar`

  await writeFile(cut, whole.subarray(0, whole.lastIndexOf('files/')))
  await expect(restoreInto(project, cut)).rejects.toThrow('in the middle')
  const uploaded = project.state.uploads
  expect(uploaded).toBeGreaterThan(0)
  const other = await run(backupCommand, [await anEmptyFolder()], team.dataDir)
  await expect(restoreInto(project, other)).rejects.toThrow(
    'holds an unfinished restore of another backup',
  )
  await restoreInto(project)
  expect(project.state.uploads).toBe(3)
  expect(await project.sql(COUNTS)).toEqual(expected)
})

test.each([
  ['while its rows are loaded, begins anew', 'tables.json', 'to begin anew'],
  ['when all rows are there, goes on', 'files/', 'to go on'],
])('a move that is stopped %s with the same command, and says so', async (_, before, purpose) => {
  const project = await aProject()
  const whole = await readFile(backup)
  const end = whole.lastIndexOf(before)
  const stopping = new AbortController()
  const { signal } = stopping
  async function* untilStopped() {
    yield whole.subarray(0, end)
    stopping.abort(new BackupError('Stopped before the end.'))
    yield whole.subarray(end)
  }
  const settings = await settingsFor(await anEmptyFolder(), project.environment)
  const source = interruptible(untilStopped(), signal)
  await expect(
    restoreProject(source, settings, project.databaseUrl, { progress: silent, signal }),
  ).rejects.toThrow(`Stopped before the end. Run the same command again ${purpose}.`)
  await restoreInto(project)
  expect(await project.sql(COUNTS)).toEqual(expected)
})

test('a storage that is busy is asked again, and one that stays away ends the move with a sentence', async () => {
  const project = await aProject()
  project.state.failing = 2
  await restoreInto(project)
  expect(await project.sql(COUNTS)).toEqual(expected)
  project.state.failing = 100
  const elsewhere = { ...project.environment, DATABASE_URL: project.databaseUrl }
  await expect(
    run(backupCommand, [await anEmptyFolder()], await anEmptyFolder(), elsewhere),
  ).rejects.toThrow(
    /The storage of the project at .* responded with 503. Run the same command again/,
  )
})

test('what a move cannot do is said before anything is changed', async () => {
  const project = await aProject()
  await expect(restoreInto(project, backup, {})).rejects.toThrow(
    'set SUPABASE_URL and SUPABASE_SECRET_KEY',
  )
  await expect(
    restoreInto(project, backup, {
      ...project.environment,
      SUPABASE_SECRET_KEY: 'sb_publishable_x',
    }),
  ).rejects.toThrow('refuses SUPABASE_SECRET_KEY')
  const untouched = `select to_regnamespace('private') is null and to_regnamespace('restore_state') is null and not exists (select from auth.users) as untouched`
  expect(await project.sql(untouched)).toEqual([{ untouched: true }])

  await project.sql(`create role clerk login password 'clerk'`)
  const clerk = new URL(project.databaseUrl)
  Object.assign(clerk, { username: 'clerk', password: 'clerk' })
  await project.sql(
    'grant usage on schema auth, storage to clerk; grant connect on database postgres to clerk',
  )
  await expect(restoreInto({ ...project, databaseUrl: clerk.href })).rejects.toThrow(
    /lacks the right to create schemas.* take the connection string of its role postgres/,
  )
  expect(await project.sql(untouched)).toEqual([{ untouched: true }])

  await project.sql(
    `insert into auth.users (id, email) values (gen_random_uuid(), 'somebody@example.com')`,
  )
  await expect(restoreInto(project)).rejects.toThrow('The project is not empty.')
  await project.sql('delete from auth.users; create table public.notes (text text)')
  await expect(restoreInto(project)).rejects.toThrow('The project is not empty.')
})
