// What is in `deploy/`, checked by the programs that it is for. A program that is not installed skips its test.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DEPLOY, isInstalled, nginxConfiguration, runTool } from '../testing/real-proxies.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'deploy-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test.skipIf(!isInstalled('systemd-analyze', '--version'))(
  'systemd finds nothing wrong with rally.service',
  async () => {
    const unit = await readFile(join(DEPLOY, 'rally.service'), 'utf8')
    const path = join(folder, 'rally.service')
    // The program has to be there, wherever this machine keeps it.
    await writeFile(path, unit.replace('/usr/bin/node', process.execPath))
    const { status, output } = runTool('systemd-analyze', ['verify', '--man=no', path])
    // It reads the units of this machine too, and warns of unknown settings without failing.
    const lines = output.split('\n').filter((line) => line.includes('rally.service'))
    expect([status, lines]).toEqual([0, []])
  },
)

test.skipIf(!isInstalled('caddy', 'version'))('Caddy accepts the Caddyfile', () => {
  const args = ['validate', '--adapter', 'caddyfile', '--config', join(DEPLOY, 'Caddyfile')]
  const { status, output } = runTool('caddy', args, { HOME: folder, XDG_DATA_HOME: folder })
  expect([status, output]).toEqual([0, expect.stringContaining('Valid configuration')])
})

test.skipIf(!isInstalled('nginx', '-v'))('nginx accepts nginx.conf', async () => {
  const main = await nginxConfiguration(folder, 8443, [8080, 8081])
  const { status, output } = runTool('nginx', ['-t', '-e', 'stderr', '-p', folder, '-c', main])
  expect([status, output]).toEqual([0, expect.stringContaining('test is successful')])
})

test.skipIf(!isInstalled('promtool', '--version'))('Prometheus accepts the alerts', () => {
  const args = ['check', 'rules', join(DEPLOY, 'prometheus/alerts.yml')]
  const { status, output } = runTool('promtool', args)
  expect([status, output]).toEqual([0, expect.stringMatching(/SUCCESS: \d+ rules found/)])
})

test.skipIf(!isInstalled('docker', 'compose', 'version'))('Docker accepts compose.yaml', () => {
  const args = ['compose', '-f', join(DEPLOY, 'compose.yaml'), 'config', '--quiet']
  const settings = { SITE_HOST: 'rally.example.com', POSTGRES_PASSWORD: 'secret' }
  expect(runTool('docker', args, settings)).toEqual({ status: 0, output: '' })
})
