import { defineConfig } from 'vitest/config'

const scripts = {
  test: { name: 'scripts', include: ['scripts/**/*.test.ts'], testTimeout: 60_000 },
}

export default defineConfig({
  test: { projects: ['web', 'backend', 'supabase', 'server', scripts] },
})
