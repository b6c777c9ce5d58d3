import { fileURLToPath } from 'node:url'
import { afterEach, expect, test, vi } from 'vitest'
import { resolveConfig } from 'vite'

const root = fileURLToPath(new URL('../web', import.meta.url))

afterEach(() => vi.unstubAllEnvs())

test.each(['development', 'test', 'production'])(
  'what is built is for production, also in a terminal with NODE_ENV=%s',
  async (nodeEnv) => {
    vi.stubEnv('NODE_ENV', nodeEnv)
    const config = await resolveConfig({ root, logLevel: 'silent' }, 'build')
    expect(config.isProduction).toBe(true)
  },
)
