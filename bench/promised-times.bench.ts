// The journeys in which the product promises a time, one by one, several times each, and to the letter: a message in an open
// thread within one second, a badge and a permission within two. The gate runs the same journeys with more patience.
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
