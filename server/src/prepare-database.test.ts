import type { Logger } from 'pino'
import { expect, test, vi } from 'vitest'
import { loadInstallationKeys } from 'backend/http/installation-keys.ts'
import { aFolder, settingsFor } from '../testing/an-installation.ts'
import { prepareDatabase } from './prepare-database.ts'

// Nothing listens on port 1, so each attempt ends at once.
test.each([
  ['postgres://me:secret@0.0.0.0:1/team', ['0.0.0.0']],
  ['postgres://me:secret@[::]:1/team?sslmode=prefer', ['[::]']],
  ['postgres://me:secret@0.0.0.0:1/team?sslmode=require', []],
  ['postgres://me:secret@127.0.0.1:1/team', []],
  // The network of docker compose.
  ['postgres://me:secret@postgres:1/team', []],
])('with DATABASE_URL %s the log warns of plain text to %j', async (url, hosts) => {
  const dataDir = await aFolder()
  const warn = vi.fn<(facts: { host: string }, text: string) => void>()
  const dependencies = {
    keys: await loadInstallationKeys(dataDir),
    log: { warn } as unknown as Logger,
    closers: [],
  }
  const settings = await settingsFor(dataDir, { DATABASE_URL: url })
  await expect(prepareDatabase(settings, dependencies)).rejects.toThrow()
  expect(warn.mock.calls.map(([{ host }]) => host)).toEqual(hosts)
  expect(JSON.stringify(warn.mock.calls)).not.toContain('secret')
})
