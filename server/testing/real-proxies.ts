// nginx and Caddy as deploy/ configures them, on free ports of this machine, and without anything outside of a folder of their own.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { vi } from 'vitest'
import { freePort } from 'backend/postgres/free-port.ts'
import { PROJECT } from '../src/project-files.ts'
import { aCertificate } from './a-certificate.ts'

export const DEPLOY = join(PROJECT, 'deploy')
const HOST = 'localhost'
const START_MS = 15_000

/** With the folders of administrators' programs, which are not in everybody's path. */
const PATH = [process.env.PATH, '/usr/sbin', '/usr/local/sbin'].join(delimiter)

/** @returns what it wrote, and null for its exit code if it is not installed */
export function runTool(command: string, args: string[], env: Record<string, string> = {}) {
  const options = { encoding: 'utf8', env: { ...process.env, PATH, ...env } } as const
  const { status, stdout, stderr } = spawnSync(command, args, options)
  return { status, output: `${stdout ?? ''}${stderr ?? ''}` }
}

/** Whether a command that only names its version succeeds. */
export const isInstalled = (command: string, ...args: string[]) =>
  runTool(command, args).status === 0

export type RealProxy = { port: number; close(): Promise<void> }

/** A main configuration around deploy/nginx.conf, with other ports, and a certificate that signs itself. */
export async function nginxConfiguration(folder: string, port: number, upstreams: number[]) {
  const { key, cert } = aCertificate(HOST, new Date(Date.now() + 86_400_000))
  await writeFile(join(folder, 'privkey.pem'), key)
  await writeFile(join(folder, 'fullchain.pem'), cert)
  const example = await readFile(join(DEPLOY, 'nginx.conf'), 'utf8')
  const site = example
    .replaceAll('/etc/letsencrypt/live/rally.example.com', folder)
    .replace('listen 80;', `listen 127.0.0.1:${await freePort()};`)
    .replace('listen 443 ', `listen 127.0.0.1:${port} `)
    .replace(/ *server 127\.0\.0\.1:8080(.*\n)/, (_line, rest: string) =>
      upstreams.map((each) => `server 127.0.0.1:${each}${rest}`).join(''),
    )
  await writeFile(join(folder, 'site.conf'), site)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join('\n')
  const main = join(folder, 'nginx.conf')
  await writeFile(
    main,
    `daemon off; pid ${folder}/pid; error_log stderr;
events {}
http { access_log off; ${temporary} include ${folder}/site.conf; }`,
  )
  return main
}

export async function anNginx(upstreams: number[]): Promise<RealProxy> {
  const folder = await mkdtemp(join(tmpdir(), 'nginx-'))
  const port = await freePort()
  const main = await nginxConfiguration(folder, port, upstreams)
  return started(['nginx', '-p', folder, '-e', 'stderr', '-c', main], { folder, port })
}

export async function aCaddy(upstreams: number[]): Promise<RealProxy> {
  const folder = await mkdtemp(join(tmpdir(), 'caddy-'))
  await mkdir(join(folder, 'storage'))
  const port = await freePort()
  const main = join(folder, 'Caddyfile')
  // Without these it would make this machine trust its certificates, and take port 80.
  const options = `admin off
	skip_install_trust
	auto_https disable_redirects
	default_bind 127.0.0.1
	storage file_system ${folder}/storage`
  await writeFile(main, `{\n\t${options}\n}\nimport ${join(DEPLOY, 'Caddyfile')}\n`)
  return started(['caddy', 'run', '--adapter', 'caddyfile', '--config', main], {
    folder,
    port,
    env: {
      SITE_HOST: `https://${HOST}:${port}`,
      UPSTREAMS: upstreams.map((each) => `127.0.0.1:${each}`).join(' '),
      HOME: folder,
    },
  })
}

type Place = { folder: string; port: number; env?: Record<string, string> }

async function started(
  [program = '', ...args]: string[],
  { folder, port, env }: Place,
): Promise<RealProxy> {
  const child = spawn(program, args, {
    env: { ...process.env, PATH, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (data: Buffer) => (said = (said + data.toString()).slice(-5_000)))
  const close = async () => {
    if (child.exitCode === null && child.kill('SIGTERM')) await once(child, 'exit')
    await rm(folder, { recursive: true, force: true })
  }
  const takesConnections = async () => {
    if (child.exitCode !== null) return
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect').finally(() => socket.destroy())
  }
  await vi.waitFor(takesConnections, { timeout: START_MS }).catch(() => undefined)
  if (child.exitCode === null) return { port, close }
  await close()
  throw new Error(`${program} ended: ${said}`)
}
