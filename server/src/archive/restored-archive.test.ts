// What a firm has to keep is worth something only if it survives the loss of the machine it is on.
import { randomUUID } from 'node:crypto'
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { keepArchive } from 'supabase-project/functions/archive/keep-archive.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  aFolder,
  anInstallation,
  PNG_HEAD as PNG,
  settingsFor,
  sqlIn,
  type Installation,
} from '../../testing/an-installation.ts'
import { backUpInstallation } from '../backup/make-backup.ts'
import { createFolderPlace, readArchive } from '../backup/places/folder-place.ts'
import { silent } from '../backup/progress.ts'
import { restoreInstallation } from '../backup/restore/restore-installation.ts'
import { verifyBackup } from '../backup/verify-backup.ts'
import type { Settings } from '../settings.ts'
import { archiveCommand, INTACT, NOT_INTACT } from './archive-command.ts'
import { HEADS_FILE } from './heads-file.ts'

// Each starts Postgres several times, which takes a loaded machine seconds.
vi.setConfig({ testTimeout: 120_000 })

const toRemove: string[] = []
let team: Installation
let backup: string

async function anEmptyFolder() {
  const folder = await aFolder()
  toRemove.push(folder)
  return folder
}

/** `npm run archive -- verify`. */
async function verify(settings: Settings) {
  const lines: string[] = []
  const { signal } = new AbortController()
  const print = (line: string) => void lines.push(line)
  return { exitCode: await archiveCommand(['verify'], { settings, print, signal }), lines }
}

const keep = ({ url, secretKey }: Installation) =>
  keepArchive({ projectUrl: url, secretKey, fetch })

async function sendImage() {
  const id = randomUUID()
  const [chat] = await team.sql<{ id: string }>('select private.mandatory_chat_id() as id')
  const { access_token: token, user } = await team.signIn()
  const path = `${chat?.id}/${id}.png`
  const headers = { 'content-type': 'image/png' }
  await accepted(
    team.send(`/storage/v1/object/chat-images/${path}`, {
      ...{ method: 'POST', headers, body: new Uint8Array(PNG), token },
    }),
  )
  const message = {
    ...{ id, chat_id: chat?.id, sender_id: user.id, message: 'A photo ñ 🚀' },
    attachment: { path, width: 1, height: 1 },
  }
  await accepted(
    team.send('/rest/v1/chat_messages', {
      ...{ method: 'POST', body: JSON.stringify(message), token },
      headers: { 'content-type': 'application/json' },
    }),
  )
}

async function accepted(sent: Promise<Response>) {
  const response = await sent
  if (!response.ok) throw new Error(await response.text())
}

const HEAD = `select to_char(sealed_at at time zone 'UTC', 'YYYY-MM-DD') || ' ' || number || ' ' || encode(hash, 'hex') as line
  from archive.seals order by number desc limit 1`

beforeAll(async () => {
  team = await anInstallation()
  await sendImage()
  await keep(team)
  // Seals in several sittings, with edits, a deletion and numbers that were rolled back.
  await team.sql(
    `update public.chat_messages set message = message || ', edited' where message like 'A photo%'`,
  )
  await team.sql(`begin; insert into public.chat_messages (chat_id, sender_id, message)
    select chat_id, sender_id, 'never' from public.chat_messages limit 1; rollback`)
  await sendImage()
  await keep(team)
  await team.stop()
  const [head] = await sqlIn<{ line: string }>(team.settings, HEAD)
  await writeFile(join(team.dataDir, HEADS_FILE), `${head?.line}\n`)
  const place = createFolderPlace(await anEmptyFolder())
  backup = (await backUpInstallation(team.settings, place, { progress: silent })).address
})
afterAll(async () => {
  await team?.close()
  for (const each of toRemove) await rm(each, { recursive: true, force: true })
})

async function restored() {
  const settings = await settingsFor(await anEmptyFolder())
  await restoreInstallation(readArchive(backup), settings, { progress: silent })
  return settings
}

test('a restored archive is intact, record by record, seal by seal and file by file, with the heads that were noted', async () => {
  await verifyBackup(readArchive(backup), { progress: silent, passphrase: undefined })
  const before = await verify(team.settings)
  expect(before.lines[0]).toMatch(/^The archive is intact: .* and 2 files\.$/)
  const settings = await restored()
  expect(await verify(settings)).toEqual({ exitCode: INTACT, lines: before.lines })
  expect(await readFile(join(settings.DATA_DIR, HEADS_FILE), 'utf8')).toBe(
    await readFile(join(team.dataDir, HEADS_FILE), 'utf8'),
  )
})

test('a restored archive goes on where it ended: new records are sealed onto the old chain', async () => {
  const settings = await restored()
  const [head] = await sqlIn<{ line: string }>(settings, HEAD)
  const again = await anInstallation({ dataDir: settings.DATA_DIR })
  try {
    await again.sql(
      `update public.chat_messages set message = 'after the restore' where message like 'A photo%'`,
    )
    await keep(again)
  } finally {
    await again.stop()
  }
  expect(await sqlIn(settings, HEAD)).not.toEqual([head])
  const { exitCode, lines } = await verify(settings)
  expect([exitCode, lines[0]]).toEqual([INTACT, expect.stringMatching(/^The archive is intact/)])
})

test('a sent file whose bytes were altered, and one that is gone, are named', async () => {
  const settings = await restored()
  const objects = join(settings.DATA_DIR, 'storage', 'objects')
  const paths = []
  for (const name of await readdir(objects, { recursive: true })) {
    const path = join(objects, name)
    if ((await stat(path)).isFile() && (await readFile(path)).equals(PNG)) paths.push(path)
  }
  expect(paths).toHaveLength(2)
  await writeFile(paths[0] ?? '', Buffer.from(PNG).reverse())
  await rm(paths[1] ?? '')
  const { exitCode, lines } = await verify(settings)
  expect(exitCode).toBe(NOT_INTACT)
  expect(lines.filter((line) => line.includes(' was altered: '))).toHaveLength(1)
  expect(lines.filter((line) => line.includes(' is missing: '))).toHaveLength(1)
})

test('a backup older than a head that the folder has noted is an archive that was cut off', async () => {
  const settings = await restored()
  const path = join(settings.DATA_DIR, HEADS_FILE)
  const later = `2999-01-01 99 ${'ab'.repeat(32)}\n`
  await writeFile(path, (await readFile(path, 'utf8')) + later)
  const noted = await readFile(path)
  await rm(join(settings.DATA_DIR, 'postgres'), { recursive: true })
  await writeFile(join(settings.DATA_DIR, 'restore-unfinished.json'), '{}')
  await restoreInstallation(readArchive(backup), settings, { progress: silent })
  expect(await readFile(path)).toEqual(noted)
  const { exitCode, lines } = await verify(settings)
  expect([exitCode, lines[0]]).toEqual([
    NOT_INTACT,
    expect.stringMatching(/^seal 99 .* on 2999-01-01: the archive was cut off/),
  ])
})
