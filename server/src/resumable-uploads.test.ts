// A process that is killed in the middle of an upload loses nothing that it acknowledged; another one goes on.
import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createUpload, startUpload, tusRequest } from 'backend/testing/tus-client.ts'
import {
  processesOnOneDatabase,
  type Processes,
  type ServerProcess,
} from '../testing/server-processes.ts'

// Each starts processes, which takes a loaded machine seconds.
vi.setConfig({ testTimeout: 120_000, expect: { poll: { timeout: 60_000 } } })

const MIB = 1024 * 1024
const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

let team: Processes
let one: ServerProcess
let two: ServerProcess
beforeAll(async () => {
  // The built-in mailbox is for one process only.
  team = await processesOnOneDatabase({ SMTP_URL: 'smtp://127.0.0.1:9' })
  await team.sql("insert into storage.buckets (id, name, public) values ('box', 'box', false)")
  ;[one, two] = await Promise.all([team.start(), team.start()])
}, 120_000)
afterAll(() => team?.close())

test('killed while bytes arrive, an upload goes on at another process and is stored once', async () => {
  const bytes = randomBytes(20 * MIB)
  const sender = ({ url }: ServerProcess) => ({ url, apikey: team.secretKey })
  const { headers } = await createUpload(sender(one), bytes.length, {
    bucketName: 'box',
    objectName: 'killed.bin',
  })
  const location = headers.get('location') ?? ''
  const offsetAt = async (process: ServerProcess) =>
    Number((await tusRequest(sender(process), 'HEAD', location)).headers.get('upload-offset'))

  // One request, of which the first two parts are whole and the third is not.
  const { done } = startUpload(
    sender(one),
    bytes,
    {},
    {
      uploadUrl: one.url + location,
      chunkSize: Infinity,
      onShouldRetry: () => false,
    },
  )
  done.catch(() => undefined)
  await expect.poll(() => offsetAt(two), { interval: 5 }).toBeGreaterThanOrEqual(6 * MIB)
  const known = await offsetAt(two)
  await one.end('SIGKILL')
  expect(await offsetAt(two)).toBeGreaterThanOrEqual(known)

  await startUpload(sender(two), bytes, {}, { uploadUrl: two.url + location }).done
  const stored = await fetch(`${two.url}/storage/v1/object/authenticated/box/killed.bin`, {
    headers: { apikey: team.secretKey },
  })
  expect(digest(Buffer.from(await stored.arrayBuffer()))).toBe(digest(bytes))
  expect(await team.sql("select name from storage.objects where bucket_id = 'box'")).toHaveLength(1)
})
