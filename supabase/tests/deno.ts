// Serves one of the Edge Functions with the real Deno.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { vi } from 'vitest'

const packages = createRequire(import.meta.url)
// The binary itself, not the wrapper script, so that killing the process stops it.
const { runInstall } = packages('deno/install_api.cjs') as { runInstall(): string }
export const DENO = runInstall()
const OPTIONS = ['--no-config', '--no-lock', '--no-remote', '--no-npm', '--quiet']

export const functionFile = (name: string) =>
  fileURLToPath(new URL(`../functions/${name}/index.ts`, import.meta.url))

export async function serveWithDeno(
  name: string,
  port: number,
  environment: Record<string, string>,
) {
  const address = `http://127.0.0.1:${port}`
  const args = ['run', ...OPTIONS, '--allow-net', '--allow-env', functionFile(name)]
  const deno = spawn(DENO, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...process.env,
      DENO_SERVE_ADDRESS: `tcp:127.0.0.1:${port}`,
      DENO_NO_UPDATE_CHECK: '1',
      ...environment,
    },
  })
  await vi.waitFor(() => fetch(address), { timeout: 20_000, interval: 100 })
  return {
    address,
    async stop() {
      deno.kill()
      await once(deno, 'exit')
    },
  }
}
