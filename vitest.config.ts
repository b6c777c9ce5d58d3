import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { projects: ['web', 'backend', 'supabase', 'server'] },
})
