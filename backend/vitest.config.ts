import { defineProject } from 'vitest/config'

export default defineProject({
  test: {
    name: 'backend',
    isolate: false,
    include: ['src/**/*.test.ts', 'conformance/**/*.test.ts'],
    globalSetup: ['./testing/test-cluster.ts'],
    setupFiles: ['./testing/wait-patiently.ts', './testing/quiet-client.ts'],
    // Intercepted lines travel by remote call, and one still under way when a file ends fails the run.
    disableConsoleIntercept: true,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
  },
})
