import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

export type PgbenchResult = { perSecond: number; meanMs: number }

/** Runs the scripts in turn over `clients` connections; null if pgbench is not installed. */
export async function runPgbench(
  databaseUrl: string,
  password: string,
  scripts: string[],
  { clients, seconds }: { clients: number; seconds: number },
): Promise<PgbenchResult | null> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-pgbench-'))
  try {
    const files = await Promise.all(
      scripts.map(async (script, index) => {
        const file = join(folder, `${index}.sql`)
        await writeFile(file, script)
        return file
      }),
    )
    const url = new URL(databaseUrl)
    const child = spawn(
      'pgbench',
      [
        ...['-h', url.hostname, '-p', url.port, '-U', 'authenticator', '-n', '-M', 'prepared'],
        ...['-c', `${clients}`, '-j', '1', '-T', `${seconds}`],
        ...files.flatMap((file) => ['-f', file]),
        url.pathname.slice(1),
      ],
      { env: { ...process.env, PGPASSWORD: password }, stdio: ['ignore', 'pipe', 'pipe'] },
    )
    const failed = new Promise<null>((resolve) => child.once('error', () => resolve(null)))
    const output = await Promise.race([text(child.stdout), failed])
    if (output === null) return null
    const tps = /tps = ([\d.]+)/.exec(output)?.[1]
    if (!tps) throw new Error(`pgbench: ${await text(child.stderr)}`)
    return {
      perSecond: Number(tps),
      meanMs: Number(/latency average = ([\d.]+)/.exec(output)?.[1]),
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
