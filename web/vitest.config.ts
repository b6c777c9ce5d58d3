import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [react()],
  test: {
    name: 'web',
    include: ['src/**/*.test.{ts,tsx}'],
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
