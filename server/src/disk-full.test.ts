// The disk under the database and the files runs full while members chat.
import { randomBytes, randomUUID } from 'node:crypto'
import { spawnSync } from 'node:child_process'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { anInstallation, PNG_HEAD, type Installation } from '../testing/an-installation.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000, expect: { poll: { timeout: 60_000 } } })

const MEBIBYTE = 1024 * 1024
/** More than any page that Postgres has free in its files. */
const LARGEST = randomBytes(2_900).toString('base64')

describe.skipIf(process.getuid?.() !== 0)(
  'on a disk of its own that runs full (a file system in memory; needs root)',
  () => {
    let disk: string
    let team: Installation
    beforeAll(async () => {
      disk = await mkdtemp(join(tmpdir(), 'full-disk-'))
      const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=300m,mode=755', 'tmpfs', disk])
      if (mounted.status !== 0) throw new Error(mounted.stderr.toString())
      team = await anInstallation({ dataDir: join(disk, 'data'), demo: true })
    })
    afterAll(async () => {
      await team?.close()
      spawnSync('umount', [disk])
      await rm(disk, { recursive: true, force: true })
    })

    /** @returns what gives the room back */
    async function fill() {
      const path = join(disk, 'filler')
      const file = await open(path, 'w')
      for (const size of [MEBIBYTE, 4096]) {
        const block = Buffer.alloc(size)
        while ((await file.write(block).catch(() => ({ bytesWritten: 0 }))).bytesWritten === size);
      }
      await file.close()
      return () => rm(path)
    }

    async function aWriter() {
      const { access_token: token, user } = await team.signIn()
      const [chat] = await team.sql<{ id: string }>(
        `select id from public.chats where type = 'mandatory'`,
      )
      const acknowledged: string[] = []
      const refusals = new Map<string, number>()
      return {
        acknowledged,
        /** Every response that was not an acknowledgement, and how often it came. */
        refusals,
        async write(message = LARGEST) {
          const id = randomUUID()
          const body = JSON.stringify({ id, chat_id: chat?.id, sender_id: user.id, message })
          const headers = { 'content-type': 'application/json' }
          const init = { method: 'POST', token, headers, body }
          const response = await team.send('/rest/v1/chat_messages', init)
          const text = `${response.status} ${await response.text()}`
          if (response.status === 201) acknowledged.push(id)
          else refusals.set(text, (refusals.get(text) ?? 0) + 1)
          return response.status
        },
        read: async () => (await team.send(`/rest/v1/users?id=eq.${user.id}`, { token })).status,
        async lost() {
          const kept = await team.sql<{ id: string }>('select id from public.chat_messages')
          const ids = new Set(kept.map(({ id }) => id))
          return acknowledged.filter((id) => !ids.has(id))
        },
      }
    }

    test('members can read, writing is refused in one sentence, nothing acknowledged is lost, and all goes on once there is room', async () => {
      const writer = await aWriter()
      expect(await writer.write()).toBe(201)
      const giveBack = await fill()
      await expect.poll(() => writer.write(), { interval: 1 }).toBe(503)
      expect([...writer.refusals.keys()]).toEqual([
        '503 {"code":"53100","details":null,"hint":null,"message":"The server has no room left. Ask its operator to make room."}',
      ])
      expect(await writer.read()).toBe(200)
      const body = new Uint8Array(Buffer.concat([PNG_HEAD, randomBytes(300_000)]))
      const headers = { 'content-type': 'image/png' }
      const init = { method: 'POST', token: team.secretKey, headers, body }
      const upload = await team.send('/storage/v1/object/images/x.png', init)
      expect([503, 507]).toContain(upload.status)
      expect(await upload.text()).toMatch(/"InsufficientStorage".*make room/)
      await giveBack()
      await expect.poll(() => writer.write('Is there room again?')).toBe(201)
      expect(await writer.lost()).toEqual([])
    })

    test('a Postgres that ends because it cannot write its log comes back by itself once there is room', async () => {
      const writer = await aWriter()
      expect(await writer.write()).toBe(201)
      const giveBack = await fill()
      const switchLog = () =>
        team
          .sql(
            `select pg_logical_emit_message(false, 'test', repeat('x', 1000000)), pg_switch_wal()`,
          )
          .then(
            () => 'written',
            () => 'refused',
          )
      await expect.poll(switchLog, { interval: 1 }).toBe('refused')
      for (let count = 0; count < 20; count++) await writer.write()
      for (const refusal of writer.refusals.keys()) expect(refusal).toMatch(/^503 /)
      await giveBack()
      await expect.poll(() => writer.write('Is there room again?')).toBe(201)
      expect(await writer.lost()).toEqual([])
    })
  },
)
