import { defineProject } from 'vitest/config'

export default defineProject({
  test: {
    name: 'backend',
    include: ['src/**/*.test.ts', 'conformance/**/*.test.ts'],
    globalSetup: ['./testing/test-cluster.ts'],
    setupFiles: ['./testing/wait-patiently.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
  },
})
