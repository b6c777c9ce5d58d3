// Real processes of the server on one Postgres, as an operator starts them behind a load balancer.
import { spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import { createAccessTokens } from 'backend/http/access-tokens.ts'
import { systemClock } from 'backend/http/clock.ts'
import { makeInstallationKeys } from 'backend/http/installation-keys.ts'
import { freePort } from 'backend/postgres/free-port.ts'
import { TEST_PASSWORD } from 'backend/testing/passwords.ts'
import { cloneDatabase, databaseUrl, dropDatabase } from 'backend/testing/test-cluster.ts'

const POLL_MS = 100

export type ServerProcess = {
  url: string
  port: number
  child: ChildProcess
  /** What it wrote to its output so far. */
  said(): string
  /** Sends a signal and resolves with the exit code; null when the signal killed it. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

export type Processes = Awaited<ReturnType<typeof processesOnOneDatabase>>

/** A database of its own for the processes of one test file; call `close` in `afterAll`. */
export async function processesOnOneDatabase(environment: Record<string, string> = {}) {
  const clusterUrl = inject('clusterUrl')
  const name = `processes_${randomUUID().slice(0, 8)}`
  await cloneDatabase(clusterUrl, name, 'with_product')
  const dataDir = await mkdtemp(join(tmpdir(), 'processes-'))
  // The roles belong to all databases of the cluster.
  const keys = { ...(await makeInstallationKeys()), databasePassword: TEST_PASSWORD }
  await writeFile(join(dataDir, 'keys.json'), JSON.stringify(keys))
  const url = databaseUrl(clusterUrl, name)
  const owner = new pg.Client({ connectionString: url })
  await owner.connect()
  await owner.query("update public.team_settings set registration = 'open'")
  const tokens = await createAccessTokens(keys.signingKey, systemClock)
  const started: ServerProcess[] = []

  const sql = async <Row = Record<string, unknown>>(text: string, values: unknown[] = []) =>
    (await owner.query(text, values)).rows as Row[]

  return {
    dataDir,
    ...keys,
    sql,
    /** Resolves when `/ready` responds with 200. */
    async start(more: Record<string, string> = {}, port?: number): Promise<ServerProcess> {
      const chosen = port ?? (await freePort())
      const server = spawnServer({
        DATABASE_URL: url,
        DATA_DIR: dataDir,
        RATE_LIMIT_FACTOR: '0',
        ...environment,
        ...more,
        PORT: String(chosen),
      })
      started.push(server)
      await untilReady(server)
      return server
    },
    /** A confirmed member of the team and a token of theirs. */
    async aMember(): Promise<{ id: string; email: string; token: string }> {
      const id = randomUUID()
      const email = `${id}@example.com`
      await sql(
        `insert into auth.users (id, email, aud, role, email_confirmed_at, created_at, raw_user_meta_data)
         values ($1, $2, 'authenticated', 'authenticated', now(), now(), '{"first_name": "Pat", "last_name": "Doe"}')`,
        [id, email],
      )
      const iat = Math.floor(Date.now() / 1000)
      const claims = { sub: id, role: 'authenticated', iat, exp: iat + 3600 }
      return { id, email, token: await tokens.sign(claims) }
    },
    async close() {
      await Promise.all(started.map((each) => each.end('SIGKILL')))
      await owner.end()
      await dropDatabase(clusterUrl, name)
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** The program itself; resolves before it is ready. */
export function spawnServer(environment: Record<string, string>): ServerProcess {
  const child = spawn(process.execPath, [inject('programs').main, '--without-web-app'], {
    env: { ...process.env, LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'error', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => (said = (said + data.toString()).slice(-20_000)))
  return {
    url: `http://127.0.0.1:${environment.PORT}`,
    port: Number(environment.PORT),
    child,
    said: () => said,
    async end(signal) {
      if (child.exitCode === null && child.signalCode === null) {
        const exited = once(child, 'exit')
        child.kill(signal)
        await exited
      }
      return child.exitCode
    },
  }
}

/** @throws if it ends before it is ready */
export async function untilReady({ url, child, said }: ServerProcess): Promise<void> {
  for (;;) {
    const status = await fetch(`${url}/ready`).then(
      (response) => response.status,
      () => 0,
    )
    if (status === 200) return
    if (child.exitCode !== null) throw new Error(`The server ended: ${said()}`)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}
