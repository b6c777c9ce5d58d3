// How the tests of this workspace run. Most files share a process, its page and the modules it has loaded: alone, each would load
// React, a page and the screens for seconds. A file that replaces modules, or gives the page a database, would do so for the next
// one, and runs alone.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { BUNDLED_MESSAGES } from './bundled-messages.ts'

const WEB = fileURLToPath(new URL('..', import.meta.url))
const ALONE = /\bvi\.(mock|doMock|hoisted|resetModules)\(|'fake-indexeddb/

const tests = readdirSync(`${WEB}/src`, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.test\.tsx?$/.test(file))
  .map((file) => `src/${file.replaceAll('\\', '/')}`)
const alone = tests.filter((file) => ALONE.test(readFileSync(WEB + file, 'utf8')))

export const sharedTests = () =>
  testProject('web', { isolate: false, include: ['src/**/*.test.{ts,tsx}'], exclude: alone })

export const aloneTests = () => testProject('web-alone', { isolate: true, include: alone })

function testProject(
  name: string,
  files: { isolate: boolean; include: string[]; exclude?: string[] },
) {
  return defineConfig({
    plugins: [react()],
    resolve: {
      alias: [
        {
          find: /^#lib\/messages\/(messages|runtime)\.js$/,
          replacement: `${BUNDLED_MESSAGES}/$1.mjs`,
        },
      ],
    },
    test: {
      name,
      ...files,
      environment: 'jsdom',
      globalSetup: './testing/compile-messages-once.ts',
      setupFiles: ['./testing/setup.ts', '../backend/testing/wait-patiently.ts'],
      restoreMocks: true,
      // Intercepted lines travel by remote call, and one still under way when a file ends fails the run.
      disableConsoleIntercept: true,
      // A busy machine is slow, not wrong.
      testTimeout: 30_000,
      expect: { poll: { timeout: 15_000 } },
    },
  })
}
