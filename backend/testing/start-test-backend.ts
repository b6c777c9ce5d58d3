// A real backend on a real Postgres for a test, with its own database, port and clock.
import { mkdtemp, rm } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { makeInstallationKeys } from '../src/http/installation-keys.ts'
import type { Clock } from '../src/http/clock.ts'
import { createLog } from '../src/http/create-log.ts'
import { startBackend, type Backend, type BackendSettings } from '../src/gateway/start-backend.ts'
import { freePort } from '../src/postgres/free-port.ts'
import { runScript } from '../src/postgres/migrations.ts'
import { TEST_PASSWORD } from './passwords.ts'
import { cloneDatabase, databaseUrl, dropDatabase } from './test-cluster.ts'

export type { EdgeFunctions } from '../src/gateway/start-backend.ts'

export type TestBackendOptions = {
  /** `product` applies supabase/migrations; `none` (the default) only the platform. */
  migrations?: 'product' | 'none'
  /** SQL run as the role `postgres` before the backend starts. */
  sql?: string
  /** Overrides of `startBackend`'s settings. */
  settings?: Partial<BackendSettings>
}

export type TestBackend = Backend & {
  url: string
  publishableKey: string
  secretKey: string
  /** Connects as the superuser, for test setup and inspection. */
  superuserUrl: string
  /** Connects as the role `postgres`, like a project's owner. */
  ownerUrl: string
  clock: TestClock
}

export type TestClock = Clock & { advance(milliseconds: number): void }

/** Real time plus the offset a test added. */
export function createTestClock(): TestClock {
  let offset = 0
  return {
    now: () => Date.now() + offset,
    advance: (milliseconds) => {
      offset += milliseconds
    },
  }
}

/** Starts a backend for one test file; call `close()` in `afterAll`. */
export async function startTestBackend(options: TestBackendOptions = {}): Promise<TestBackend> {
  const clusterUrl = inject('clusterUrl')
  const name = `test_${randomBytes(6).toString('hex')}`
  await cloneDatabase(
    clusterUrl,
    name,
    options.migrations === 'product' ? 'with_product' : 'platform_only',
  )
  const superuserUrl = databaseUrl(clusterUrl, name)
  if (options.sql) await runScript(superuserUrl, options.sql)

  const dataDir = await mkdtemp(join(tmpdir(), 'backend-data-'))
  const keys = { ...(await makeInstallationKeys()), databasePassword: TEST_PASSWORD }
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const clock = createTestClock()
  const backend = await startBackend({
    databaseUrl: superuserUrl,
    keys,
    siteUrl: url,
    dataDir,
    productName: 'Test',
    clock,
    log: createLog(process.env.TEST_LOG_LEVEL ?? 'silent'),
    // The protocol tests also use public channels; the product does not.
    realtime: { privateOnly: options.migrations === 'product' },
    ...options.settings,
    auth: { mailbox: { opensTo: 'this-machine' }, ...options.settings?.auth },
  })
  await backend.app.listen({ port, host: '127.0.0.1' })
  const owner = new URL(superuserUrl)
  owner.username = 'postgres'
  return {
    ...backend,
    url,
    publishableKey: keys.publishableKey,
    secretKey: keys.secretKey,
    superuserUrl,
    ownerUrl: owner.href,
    clock,
    async close() {
      await backend.close()
      await dropDatabase(clusterUrl, name)
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
