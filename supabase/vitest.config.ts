import { defineProject } from 'vitest/config'

export default defineProject({
  test: {
    name: 'supabase',
    include: ['tests/**/*.test.ts', 'functions/**/*.test.ts'],
    globalSetup: ['../backend/testing/test-cluster.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
})
