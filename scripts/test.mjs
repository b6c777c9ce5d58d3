// Runs every check of the project. The last line of output is `N passed, N failed`.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, run, tool } from './run.mjs'
import { ensureBrowser, ensureBuilt, ensureInstalled, ensureMessages } from './setup.mjs'

const RESULTS = join(ROOT, 'e2e/results')
const UNIT_RESULTS = join(RESULTS, 'vitest.json')
const JOURNEY_RESULTS = join(RESULTS, 'playwright.json')
const total = { passed: 0, failed: 0 }
const failures = []

await ensureInstalled()
const browser = await ensureBrowser()
const browserEnv = browser ? { CHROMIUM_PATH: browser } : {}
await ensureMessages()
await ensureBuilt()
rmSync(RESULTS, { recursive: true, force: true })
mkdirSync(RESULTS, { recursive: true })

console.log('\nUnit, policy and conformance tests, and what can be checked without running the app')
const [unitCode] = await Promise.all([
  run(tool('vitest'), ['run', '--reporter=dot', '--reporter=./scripts/gate-reporter.mjs'], {
    env: { UNIT_RESULTS, ...browserEnv },
  }),
  // In the time in which the tests wait: for Postgres, for clocks, for each other.
  // It holds 3.7 GB, and Node's own limit follows the machine's memory.
  check('Types and lint', process.execPath, [
    '--max-old-space-size=6144',
    'scripts/types-and-lint.mjs',
  ]),
  lighterChecks(),
])
count(unitCode, UNIT_RESULTS, 'The unit tests', (report) => report)

// While nothing else runs. CPU is read from /proc.
if (process.platform === 'linux')
  await check('Ratios of the hot path', tool('tsx'), ['bench/ratios.ts'], { isPatient: false })

console.log('\nJourneys in a browser')
const journeyCode = await run(
  tool('playwright'),
  ['test', '--config', 'e2e/playwright.config.ts'],
  {
    env: { PLAYWRIGHT_JSON_OUTPUT_NAME: JOURNEY_RESULTS, ...browserEnv },
  },
)
count(journeyCode, JOURNEY_RESULTS, 'The journeys', ({ stats, suites }) => ({
  passed: stats.expected,
  failed: stats.unexpected + stats.flaky,
  names: suites.flatMap(failedJourneys),
}))

if (failures.length > 0) console.log(['\nFailed:', ...failures].join('\n  '))
console.log(`\n${total.passed} passed, ${total.failed} failed`)
process.exit(total.failed === 0 ? 0 : 1)

async function lighterChecks() {
  await check('Format', tool('prettier'), ['--check', '--log-level=warn', '.'])
  await check('Dead code', tool('knip'), [])
  await check('Byte budgets', process.execPath, ['web/scripts/byte-budgets.mjs'])
  await check('Native shells', process.execPath, ['scripts/native-shells.mjs'])
  await check('Database types', process.execPath, ['scripts/database-types.mjs', '--check'])
}

async function check(name, command, args, { isPatient = true } = {}) {
  const started = performance.now()
  const code = await run(command, args, { quiet: true, isPatient })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name} (${seconds} s)`)
  if (code === 0) total.passed++
  else {
    total.failed++
    failures.push(name)
  }
}

// A runner that crashes without naming a failed test counts as one failure.
function count(code, file, runner, read) {
  const { passed, failed, names } = existsSync(file)
    ? read(JSON.parse(readFileSync(file, 'utf8')))
    : { passed: 0, failed: 0, names: [] }
  total.passed += passed
  failures.push(...names)
  if (code === 0 || failed > 0) {
    total.failed += failed
  } else {
    total.failed++
    failures.push(`${runner} ended with exit code ${code}`)
  }
}

function failedJourneys({ file, specs, suites = [] }) {
  const failed = specs.filter(({ tests }) =>
    tests.some(({ status }) => status === 'unexpected' || status === 'flaky'),
  )
  return [
    ...failed.map(({ title, line }) => `${file}:${line} › ${title}`),
    ...suites.flatMap(failedJourneys),
  ]
}
