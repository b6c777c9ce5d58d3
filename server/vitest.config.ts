import { defineProject } from 'vitest/config'

export default defineProject({
  test: {
    name: 'server',
    isolate: false,
    include: ['src/**/*.test.ts'],
    globalSetup: [
      '../backend/testing/test-cluster.ts',
      './testing/built-programs.ts',
      './testing/demo-folder.ts',
    ],
    setupFiles: ['../backend/testing/wait-patiently.ts', '../backend/testing/quiet-client.ts'],
    // Intercepted lines travel by remote call, and one still under way when a file ends fails the run.
    disableConsoleIntercept: true,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
  },
})
