// The journeys with a promised time, one by one, several times each, with the strict limits: a message in an open thread
// within one second, a badge and a permission within two. `npm test` runs the same journeys with longer timeouts.
import { spawnSync } from 'node:child_process'

const ROUNDS = process.env.ROUNDS ?? '10'

const { status } = spawnSync(
  'npx',
  [
    'playwright',
    'test',
    '--config=e2e/playwright.config.ts',
    '--project=phone',
    '--grep=@promised',
    '--workers=1',
    `--repeat-each=${ROUNDS}`,
  ],
  { stdio: 'inherit', env: { ...process.env, PROMISED_TIMES: '1' } },
)
process.exitCode = status ?? 1
