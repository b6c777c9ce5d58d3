// The program that is shipped, started as a team starts it, with its own Postgres.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from 'backend/postgres/free-port.ts'

const ROOT = join(import.meta.dirname, '..')

export type ShippedServer = Awaited<ReturnType<typeof startShippedServer>>

/**
 * Resolves when it is ready. The limits of each address are off: all phones of a bench have one.
 * @param isDemo loads the demo team
 * @param onPort the port of one that has ended; otherwise a free one
 */
export async function startShippedServer(
  dataDir: string,
  {
    isDemo = true,
    onPort,
    ...environment
  }: {
    isDemo?: boolean
    onPort?: number
    WORKERS?: string
    SMTP_URL?: string
    PUSH_WEB_SERVICES?: string
  } = {},
) {
  const port = onPort ?? (await freePort())
  const url = `http://127.0.0.1:${port}`
  const args = [
    join(ROOT, 'server/dist/main.js'),
    '--without-web-app',
    ...(isDemo ? ['--demo'] : []),
  ]
  const child = spawn(process.execPath, args, {
    env: {
      ...process.env,
      ...{ PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'error', RATE_LIMIT_FACTOR: '0' },
      ...environment,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const kill = () => void child.kill('SIGKILL')
  process.once('exit', kill)
  while ((await fetch(`${url}/ready`).catch(() => null))?.status !== 200) {
    if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}.`)
    await wait(100)
  }
  const keys = JSON.parse(await readFile(join(dataDir, 'keys.json'), 'utf8')) as {
    publishableKey: string
  }
  return {
    url,
    port,
    key: keys.publishableKey,
    pid: child.pid ?? 0,
    async stop() {
      process.off('exit', kill)
      if (child.exitCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}
