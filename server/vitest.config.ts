import { defineProject } from 'vitest/config'

export default defineProject({
  test: {
    name: 'server',
    include: ['src/**/*.test.ts'],
    globalSetup: ['../backend/testing/test-cluster.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
})
