// @supabase/lite over the same Postgres. The product does not depend on it, so the bench installs it into a temporary
// folder.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SignJWT } from 'jose'
import type { Member } from './data-api-requests.ts'

const PACKAGES = ['@supabase/lite@0.10.0', 'postgres@3.4.9']
const PORT = 21_950
const SECRET = 'a-secret-for-the-bench-alone-0123456789'
const KEY = 'sb_publishable_bench0000000000000000000'
const START_ATTEMPTS = 100

export type Lite = {
  port: number
  key: string
  members: Member[]
  pid: number
  stop(): Promise<void>
}

/** @param databaseUrl a superuser's; lite changes grants and schemas at every start */
export async function startLite(databaseUrl: string, members: Member[]): Promise<Lite> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-lite-'))
  await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}')
  await run('npm', ['install', '--no-audit', '--no-fund', ...PACKAGES], folder)
  await mkdir(join(folder, 'supabase'))
  await writeFile(join(folder, 'supabase/config.toml'), configFor(databaseUrl))
  const cli = join(folder, 'node_modules/@supabase/lite/dist/cli/index.js')
  const child = spawn(process.execPath, [cli, 'start', '--no-admin'], {
    cwd: folder,
    stdio: 'ignore',
    detached: false,
  })
  await untilReady()
  return {
    port: PORT,
    key: KEY,
    members: await Promise.all(members.map(withLiteToken)),
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function configFor(databaseUrl: string): string {
  return `
[api]
port = ${PORT}
[db]
driver = "postgres"
url = "${databaseUrl}"
[auth]
enabled = true
jwt_secret = "${SECRET}"
publishable_key = "${KEY}"
secret_key = "sb_secret_bench00000000000000000000000"
`
}

async function withLiteToken(member: Member): Promise<Member> {
  const token = await new SignJWT(JSON.parse(member.claims) as Record<string, unknown>)
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .sign(new TextEncoder().encode(SECRET))
  return { ...member, token }
}

async function run(command: string, args: string[], cwd: string): Promise<void> {
  const [code] = (await once(spawn(command, args, { cwd, stdio: 'ignore' }), 'exit')) as [number]
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} failed`)
}

async function untilReady(): Promise<void> {
  for (let attempt = 0; attempt < START_ATTEMPTS; attempt++) {
    const response = await fetch(`http://127.0.0.1:${PORT}/rest/v1/`, {
      headers: { apikey: KEY },
    }).catch(() => null)
    if (response) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error('lite did not start')
}
