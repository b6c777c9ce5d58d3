// Runs every check of the project; with --changed, only what changes since `main` can affect. The last line of output is
// `N passed, N failed`.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { affectedTests, changesIn } from './changed.mjs'
import { ROOT, run, tool } from './run.mjs'
import { runFailedAgain, runSuite, settle } from './second-try.mjs'
import { ensureBrowser, ensureBuilt, ensureInstalled, ensureMessages } from './setup.mjs'

const RESULTS = join(ROOT, 'e2e/results')
const started = performance.now()
const options = process.argv.slice(2)
const unknown = options.find((option) => option !== '--changed')
if (unknown) {
  console.error(`There is no option ${unknown}, only --changed.`)
  process.exit(1)
}

await ensureInstalled()
const browser = await ensureBrowser()
const browserEnv = browser ? { CHROMIUM_PATH: browser } : {}
await ensureMessages()
await ensureBuilt()
rmSync(RESULTS, { recursive: true, force: true })
mkdirSync(RESULTS, { recursive: true })

/** @type {import('./second-try.mjs').Suite} */
const units = {
  name: 'The unit tests',
  command: tool('vitest'),
  args: ['run', '--reporter=./scripts/vitest-outcomes.mjs'],
  // Each file in a process of its own: one that dies would take the others along.
  secondTry: ['--maxWorkers=1', '--isolate'],
  byHand: 'npx vitest run',
  report: join(RESULTS, 'unit-tests.json'),
  env: browserEnv,
}
/** @type {import('./second-try.mjs').Suite} */
const journeys = {
  name: 'The journeys',
  command: tool('playwright'),
  args: [
    'test',
    '--config=e2e/playwright.config.ts',
    '--reporter=list,./scripts/playwright-outcomes.mjs',
  ],
  // In a folder of its own: pictures of the first failures stay.
  secondTry: ['--workers=1', '--no-deps', '--output=e2e/results/second-try'],
  lastFailed: join(RESULTS, 'last-failed.json'),
  byHand: 'npx playwright test --config e2e/playwright.config.ts',
  report: join(RESULTS, 'journeys.json'),
  env: browserEnv,
}
const TYPES = ['Types', process.execPath, ['scripts/types.mjs']]
const LINT = ['Lint', tool('oxlint'), []]
const FORMAT = ['Format', tool('prettier'), ['--check', '--log-level=warn', '.']]
const RATIOS = ['Ratios of the hot path', tool('tsx'), ['bench/ratios.ts']]

const outcomes = options.length === 0 ? await everything() : await whatChanged()
const { passed, failed, flaky } = settle(outcomes)

stage('The end')
if (flaky.length > 0) {
  const file = join(RESULTS, 'flaky.txt')
  const lines = flaky.map(describe)
  writeFileSync(file, `${lines.join('\n')}\n`)
  console.log(`\nFlaky: failed, then passed alone (${relative(ROOT, file)})`)
  console.log(lines.join('\n'))
}
if (failed.length > 0) console.log(['\nFailed:', ...failed.map(describe)].join('\n'))
console.log(`\n${passed} passed, ${failed.length} failed`)
process.exit(failed.length === 0 ? 0 : 1)

async function everything() {
  stage('Unit, policy and conformance tests, and what can be checked without running the app')
  const [unitOutcomes, otherOutcomes] = await Promise.all([runSuite(units), checkWithoutRunning()])

  // While nothing else runs. CPU is read from /proc.
  const hasRatios = process.platform === 'linux'
  if (hasRatios) stage('Ratios')
  const ratioOutcomes = hasRatios ? [await check(...RATIOS)] : []

  stage('Journeys in a browser')
  const journeyOutcomes = await runSuite(journeys)

  const isGood = ({ error }) => error === null
  const first = [...unitOutcomes, ...ratioOutcomes, ...journeyOutcomes]
  const second = []
  if (!first.every(isGood)) {
    stage('What failed, once more and alone')
    second.push(...(await runFailedAgain(units, unitOutcomes)))
    if (!ratioOutcomes.every(isGood)) second.push(await check(...RATIOS))
    second.push(...(await runFailedAgain(journeys, journeyOutcomes)))
  }
  return [...otherOutcomes, ...first, ...second]
}

/** Without a second try: whoever made the change wants to see at once what it broke. */
async function whatChanged() {
  const changes = changesIn(ROOT)
  if (changes.files.length === 0) {
    console.log(`\nNothing has changed since ${changes.base.slice(0, 9)}.`)
    return []
  }
  const tests = affectedTests(ROOT, changes)
  stage(
    `${counted(changes.files, 'changed file')}: ${counted(tests, 'file')} of unit tests, types and lint`,
  )
  const [unitOutcomes, otherOutcomes] = await Promise.all([runSuite(units, tests), checkSources()])
  const outcomes = [...otherOutcomes, ...unitOutcomes]
  if (changes.files.some((file) => file.startsWith('e2e/'))) {
    stage('Changed journeys')
    outcomes.push(
      ...(await runSuite(journeys, [`--only-changed=${changes.base}`, '--pass-with-no-tests'])),
    )
  }
  console.log('\n`npm test` shows what else the change may have broken.')
  return outcomes
}

function counted(list, noun) {
  return `${list.length} ${noun}${list.length === 1 ? '' : 's'}`
}

async function checkSources(how) {
  return [await check(...TYPES, how), await check(...LINT, how), await check(...FORMAT, how)]
}

/** In the time in which the tests wait: for Postgres, for clocks, for each other. */
async function checkWithoutRunning() {
  const patiently = { isPatient: true }
  const node = process.execPath
  return [
    ...(await checkSources(patiently)),
    await check('Dead code', tool('knip'), [], patiently),
    await check('Byte budgets', node, ['web/scripts/byte-budgets.mjs'], patiently),
    await check('Native shells', node, ['scripts/native-shells.mjs'], patiently),
    await check('Database types', node, ['scripts/database-types.mjs', '--check'], patiently),
  ]
}

/** @returns {Promise<import('./second-try.mjs').Outcome>} */
async function check(name, command, args, { isPatient = false } = {}) {
  const begun = performance.now()
  const code = await run(command, args, { quiet: true, isPatient })
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name} (${seconds} s)`)
  const by = command === process.execPath ? 'node' : `npx ${basename(command)}`
  const byHand = [by, ...args].join(' ')
  return { id: name, name, byHand, isTest: true, error: code === 0 ? null : `exit code ${code}` }
}

function stage(name) {
  const seconds = Math.round((performance.now() - started) / 1000)
  const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
  console.log(`\n[${time}] ${name}`)
}

/** What failed, why, and what runs just that. */
function describe({ name, error, byHand }) {
  return [`  ${name}: ${error}`, ...(byHand ? [`    ${byHand}`] : [])].join('\n')
}
