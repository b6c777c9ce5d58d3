import { defineConfig } from 'vitest/config'
import { keepTemporaryFilesInMemory } from './backend/testing/memory-folder.ts'

keepTemporaryFilesInMemory()

const scripts = {
  test: {
    name: 'scripts',
    include: ['scripts/**/*.test.ts'],
    // Intercepted lines travel by remote call, and one still under way when a file ends fails the run.
    disableConsoleIntercept: true,
    testTimeout: 60_000,
  },
}

export default defineConfig({
  // Vitest would leave one core of a small machine idle; most tests wait for Postgres half of the time.
  test: {
    maxWorkers: 2,
    projects: ['web', 'web/vitest.alone.config.ts', 'backend', 'supabase', 'server', scripts],
  },
})
