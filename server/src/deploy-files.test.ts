// What `deploy/` names has to be there: metrics, settings, paths, ports and limits. The programs that read these files check them in deploy-tools.test.ts.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LIMITS as HTTP } from 'backend/gateway/limits.ts'
import { LIMITS as STORAGE } from 'backend/storage/limits.ts'
import { anInstallation, type Installation } from '../testing/an-installation.ts'
import { PROJECT } from './project-files.ts'
import { readSettings, SETTING_NAMES } from './settings.ts'

const TOKEN = 'a token of a monitor, long enough'
const read = (name: string) => readFileSync(join(PROJECT, 'deploy', name), 'utf8')
const files = ['Caddyfile', 'Dockerfile', 'compose.yaml', 'nginx.conf', 'rally.service'] as const

let team: Installation
beforeAll(async () => {
  team = await anInstallation({ environment: { METRICS_TOKEN: TOKEN } })
}, 90_000)
afterAll(() => team?.close())

test('every metric that the dashboard and the alerts name is in /_metrics', async () => {
  // What nobody knows is left out, so there have to be a request and a backup.
  await team.signIn()
  await team.sql(
    "insert into private.backups (due_at, attempt, state, finished_at) values (now(), 1, 'verified', now())",
  )
  await team.sql(
    `select public.report_system_state('[{"part": "backup", "is_on": true, "problems": 0}]')`,
  )
  const response = await team.send('/_metrics', { token: TOKEN })
  const known = new Set(
    [...(await response.text()).matchAll(/^([a-z_]+)[{ ]/gm)].map(([, name]) => name),
  )
  const alerts = read('prometheus/alerts.yml')
  const dashboard = read('prometheus/dashboard.json')
  const named = [...(alerts + dashboard).matchAll(/\b(?:rally|process)_[a-z_]+/g)]
  expect(new Set(named.map(([name]) => name)).size).toBeGreaterThan(12)
  expect(named.map(([name]) => name).filter((name) => !known.has(name))).toEqual([])
  const { panels } = JSON.parse(dashboard) as { panels: { targets: { expr: string }[] }[] }
  expect(panels.every(({ targets }) => targets.every(({ expr }) => expr))).toBe(true)
})

test('every setting that is given is one', () => {
  const given = [
    ...read('compose.yaml').matchAll(/^ {6}([A-Z_0-9]+): /gm),
    ...read('Dockerfile').matchAll(/\b([A-Z_]+)=\S/g),
    ...read('rally.service').matchAll(/\b([A-Z_]{4,})=\S/g),
  ].map(([, name = '']) => name)
  const others = ['NODE_ENV', 'POSTGRES_PASSWORD', 'SITE_HOST', 'UPSTREAMS']
  expect(given.length).toBeGreaterThan(12)
  expect(given.filter((name) => ![...SETTING_NAMES, ...others].includes(name))).toEqual([])
})

test('proxies let through what the app takes, and little more', () => {
  const most = STORAGE.fileBytes + STORAGE.formBytes
  const sizes = [
    Number(/max_size (\d+)MiB/.exec(read('Caddyfile'))?.[1]),
    Number(/client_max_body_size (\d+)m;/.exec(read('nginx.conf'))?.[1]),
  ].map((mebibytes) => mebibytes * 1024 * 1024)
  for (const size of sizes) {
    expect(size).toBeGreaterThan(most)
    expect(size).toBeLessThan(most + 1024 * 1024)
  }
  const headers = Number(/large_client_header_buffers 4 (\d+)k;/.exec(read('nginx.conf'))?.[1])
  expect(headers * 1024).toBe(HTTP.headerBytes)
  const kept = [
    /keepalive (\d+)s/.exec(read('Caddyfile')),
    /keepalive_timeout (\d+)s;/.exec(read('nginx.conf')),
  ]
  for (const match of kept) expect(Number(match?.[1]) * 1000).toBeLessThan(HTTP.keepAliveMs)
  expect(read('nginx.conf')).toContain('proxy_set_header Upgrade $http_upgrade;')
  expect(read('nginx.conf')).toContain('proxy_set_header X-Forwarded-For $remote_addr;')
})

test('ports, paths and probes are those of the app', async () => {
  for (const path of ['/ready', '/health']) {
    expect(files.some((name) => read(name).includes(path))).toBe(true)
    expect((await team.send(path)).status).toBe(200)
  }
  const { PORT } = readSettings({})
  expect(read('Dockerfile')).toContain(`PORT=${PORT}`)
  for (const name of ['Caddyfile', 'nginx.conf'] as const) expect(read(name)).toContain(`:${PORT}`)
  const copied = [...read('Dockerfile').matchAll(/--from=build \/app\/(\S+)/g)].map(
    ([, path = '']) => path,
  )
  expect(
    copied.filter((path) => !path.endsWith('/dist') && !existsSync(join(PROJECT, path))),
  ).toEqual([])
})

test('whatever stops the app waits longer than it drains', () => {
  const { DRAIN_SECONDS } = readSettings({})
  const waits = [
    /TimeoutStopSec=(\d+)/.exec(read('rally.service')),
    /stop_grace_period: (\d+)s/.exec(read('compose.yaml')),
  ]
  for (const match of waits) expect(Number(match?.[1])).toBeGreaterThanOrEqual(DRAIN_SECONDS + 20)
  for (const name of ['rally.service', 'compose.yaml'] as const)
    expect(Number(/DRAIN_SECONDS\W+(\d+)/.exec(read(name))?.[1])).toBe(DRAIN_SECONDS)
  expect(read('rally.service')).toContain('KillMode=mixed')
})

test('images are pinned, nothing runs as root, and no secret is in a layer', () => {
  const docker = read('Dockerfile')
  const images = [
    ...docker.matchAll(/^FROM (\S+)/gm),
    ...read('compose.yaml').matchAll(/image: (\S+)/g),
  ]
  for (const [, image] of images) expect(image).toMatch(/:\d+\.\d+(\.\d+)?(-\w+)*$/)
  expect(docker).toMatch(/^USER node$/m)
  expect(docker).not.toMatch(/ARG|PASS|TOKEN|SECRET/)
  const ignored = readFileSync(join(PROJECT, '.dockerignore'), 'utf8').split('\n')
  expect(ignored).toEqual(expect.arrayContaining(['.env', '**/.env', '.data', '.data-*', '.git']))
  expect(read('compose.yaml')).toContain('read_only: true')
  expect(readdirSync(join(PROJECT, 'deploy')).sort()).toEqual([...files, 'prometheus'].sort())
})
