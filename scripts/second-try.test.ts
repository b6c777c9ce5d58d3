// Small suites with the real runners: what passes, is flaky, fails and crashes.
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { terminalEnv } from './terminal-env.ts'

// Each starts a runner twice.
vi.setConfig({ testTimeout: 240_000 })

/** Below the range of the journeys' servers. */
const PORT = 16_000 + (process.pid % 2000)

const ROOT = join(import.meta.dirname, '..')
const tool = (name: string) => join(ROOT, 'node_modules/.bin', name)

type Outcome = { name: string; error: string }
type Settled = { passed: number; failed: Outcome[]; flaky: Outcome[] }

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'second-try-'))
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** `isFirst` is true the first time that a name is asked for, then false; `wasAsked` tells whether it was. */
const FIRST = `
  import { existsSync, writeFileSync } from 'node:fs'
  const markOf = (name) => ${'`${import.meta.dirname}/${name}.mark`'}
  export const wasAsked = (name) => existsSync(markOf(name))
  export const isFirst = (name) => !wasAsked(name) && writeFileSync(markOf(name), '') === undefined`

/** Writes the files, runs the suite twice and settles. */
async function tryTwice(files: Record<string, string>, suite: object): Promise<Settled> {
  for (const [name, text] of Object.entries({ ...files, 'first.mjs': FIRST }))
    writeFileSync(join(folder, name), text)
  const whole = { name: 'The suite', byHand: 'run', report: join(folder, 'report.json'), ...suite }
  return settled(`
    const suite = ${JSON.stringify(whole)}
    const first = await runSuite(suite)
    const outcomes = [...first, ...(await runFailedAgain(suite, first))]`)
}

/** Settles the `outcomes` of a program. */
async function settled(program: string): Promise<Settled> {
  const [file, result] = [join(folder, 'program.mjs'), join(folder, 'settled.json')]
  writeFileSync(
    file,
    `import { writeFileSync } from 'node:fs'
    import { runFailedAgain, runSuite, settle } from ${JSON.stringify(join(ROOT, 'scripts/second-try.mjs'))}
    ${program}
    writeFileSync(${JSON.stringify(result)}, JSON.stringify(settle(outcomes)))`,
  )
  await promisify(execFile)(process.execPath, [file], { env: terminalEnv })
  return JSON.parse(readFileSync(result, 'utf8')) as Settled
}

const named = (outcomes: Settled['failed']) =>
  outcomes
    .map(({ name, error }) => `${name.replace(/^.*\//, '').replace(/:\d+/, '')}: ${error}`)
    .sort()

const withVitest = (text: string) => `
  import { expect, test, vi } from 'vitest'
  import { isFirst, wasAsked } from './first.mjs'
  ${text}`

function vitest() {
  return {
    command: tool('vitest'),
    args: ['run', '--root', folder, '--reporter', join(ROOT, 'scripts/vitest-outcomes.mjs')],
    secondTry: ['--maxWorkers=1', '--isolate'],
  }
}

// The order of the files depends on what the cache knows of earlier runs, so each suite has its own.
const VITEST_CONFIG =
  "export default { cacheDir: 'cache', test: { isolate: false, maxWorkers: 2, include: ['*.test.mjs'] } }"
const CRASH = "process.kill(process.pid, 'SIGKILL')"

test('unit tests: what passes alone after a failure or an error is flaky, the rest has failed', async () => {
  const { passed, failed, flaky } = await tryTwice(
    {
      'vitest.config.mjs': VITEST_CONFIG,
      'passes.test.mjs': withVitest("test('fine', () => {})\ntest.skip('left out', () => {})"),
      'flaky.test.mjs': withVitest(
        "test('once', () => expect(isFirst('flaky')).toBe(false))\ntest('fine', () => {})",
      ),
      'fails.test.mjs': withVitest("test('always', () => expect(1).toBe(2))"),
      'loads.test.mjs': withVitest(
        "if (isFirst('loads')) throw new Error('no')\ntest('fine', () => {})",
      ),
      'loose.test.mjs': withVitest(
        "test('fine', async () => {\n if (isFirst('loose')) void Promise.reject(new Error('loose'))\n await new Promise(setImmediate)\n})",
      ),
    },
    vitest(),
  )
  expect({ flaky: named(flaky), failed: named(failed), passed }).toEqual({
    flaky: [
      'flaky.test.mjs › once: expected true to be false // Object.is equality',
      'loads.test.mjs: no',
      'loose.test.mjs: loose',
    ],
    failed: ['fails.test.mjs › always: expected 1 to be 2 // Object.is equality'],
    passed: 5,
  })
})

test('unit tests: a file that a crash interrupts runs again', async () => {
  const { passed, failed, flaky } = await tryTwice(
    {
      'vitest.config.mjs': VITEST_CONFIG,
      'crashes.test.mjs': withVitest(
        `test('fine', () => {})\ntest('dies', () => isFirst('crash') && ${CRASH})`,
      ),
      'dies.test.mjs': withVitest(`test('dies', () => ${CRASH})`),
    },
    vitest(),
  )
  expect(named(flaky)).toEqual([expect.stringContaining('crashes.test.mjs: did not finish. ')])
  expect(named(failed)).toEqual([expect.stringContaining('dies.test.mjs: did not finish. ')])
  expect(passed).toBe(2)
})

test('unit tests: a file that was handed to a dying worker runs again', async () => {
  const { passed, failed, flaky } = await tryTwice(
    {
      'vitest.config.mjs': VITEST_CONFIG,
      // The largest file goes first. It passes, and its worker dies of the next one.
      'leaves.test.mjs': withVitest(`// ${'x'.repeat(1000)}
        process.prependListener('message', ({ type }) => {
          if (type === 'run' && isFirst('left')) ${CRASH}
        })
        test('fine', () => {})`),
      // Keeps the other worker from taking the next one.
      'waits.test.mjs': withVitest(`// ${'x'.repeat(500)}
        test('fine', () => vi.waitFor(() => expect(wasAsked('left')).toBe(true), 30_000), 60_000)`),
      'fails.test.mjs': withVitest("test('always', () => expect(1).toBe(2))"),
    },
    vitest(),
  )
  expect(named(flaky)).toEqual([expect.stringContaining('fails.test.mjs: did not finish. ')])
  expect(named(failed)).toEqual([
    'fails.test.mjs › always: expected 1 to be 2 // Object.is equality',
  ])
  expect(passed).toBe(2)
})

function playwright() {
  return {
    command: tool('playwright'),
    args: [
      'test',
      `--config=${join(folder, 'playwright.config.mjs')}`,
      `--reporter=${join(ROOT, 'scripts/playwright-outcomes.mjs')}`,
      `--output=${join(folder, 'traces')}`,
    ],
    secondTry: ['--workers=1', '--no-deps'],
    lastFailed: join(folder, 'last-failed.json'),
  }
}

test('journeys: the same, and what did not run because of another runs again', async () => {
  const journey = (text: string) => `
    import { expect, test } from '@playwright/test'
    import { isFirst } from './first.mjs'
    ${text}`
  const { passed, failed, flaky } = await tryTwice(
    {
      'playwright.config.mjs': `export default {
        fullyParallel: true, workers: 2, projects: [
          { name: 'one', testIgnore: '**/later.spec.mjs' },
          { name: 'two', testMatch: '**/later.spec.mjs', dependencies: ['one'] },
        ] }`,
      'passes.spec.mjs': journey("test('fine', () => {})\ntest.skip('left out', () => {})"),
      // On one line: what passed does not run again.
      'flaky.spec.mjs': journey(
        "for (const name of ['once', 'fine']) test(name, () => expect(isFirst(name)).toBe(name === 'fine'))",
      ),
      'fails.spec.mjs': journey("test('always', () => expect(1).toBe(2))"),
      'crashes.spec.mjs': journey(
        "test('dies', () => { if (isFirst('crash')) process.kill(process.pid, 'SIGKILL') })",
      ),
      'later.spec.mjs': journey("test('afterwards', () => {})"),
    },
    playwright(),
  )
  expect(named(flaky)).toEqual([
    'crashes.spec.mjs › dies: Error: worker process exited unexpectedly (code=null, signal=SIGKILL)',
    'flaky.spec.mjs › once: Error: expect(received).toBe(expected) // Object.is equality',
  ])
  expect(named(failed)).toEqual([
    'fails.spec.mjs › always: Error: expect(received).toBe(expected) // Object.is equality',
  ])
  expect(passed).toBe(5)
})

test('journeys whose server does not start run again, and count as one flaky thing', async () => {
  const { passed, failed, flaky } = await tryTwice(
    {
      'playwright.config.mjs': `
        import { existsSync, writeFileSync } from 'node:fs'
        export default { webServer: { command: 'node server.mjs', url: 'http://127.0.0.1:${PORT}', timeout: 20_000 } }`,
      'server.mjs': `
        import { createServer } from 'node:http'
        import { isFirst } from './first.mjs'
        if (isFirst('server')) process.exit(1)
        createServer((_, response) => response.end()).listen(${PORT}, '127.0.0.1')`,
      'fine.spec.mjs':
        "import { test } from '@playwright/test'\ntest('fine', () => {})\ntest('fine too', () => {})",
    },
    playwright(),
  )
  expect(named(flaky)).toEqual([
    'The suite: Error: Process from config.webServer was not able to start. Exit code: 1',
  ])
  expect(failed).toEqual([])
  expect(passed).toBe(2)
})

test('more than five flaky tests fail the run', async () => {
  const withFlaky = (count: number) =>
    settled(`
      const all = Array.from({ length: ${count} }, (_, id) => ({ id, name: 'test', isTest: true }))
      const outcomes = ['no', null].flatMap((error) => all.map((each) => ({ ...each, error })))`)
  expect(await withFlaky(5)).toMatchObject({ passed: 5, failed: [] })
  const { failed, flaky } = await withFlaky(6)
  expect(failed).toMatchObject([{ name: 'Flaky tests' }])
  expect(flaky).toHaveLength(6)
})

test('a runner that ends without naming a failure has failed', async () => {
  const suite = { command: process.execPath, args: ['-e', 'process.exit(3)'], secondTry: [] }
  const { passed, failed } = await tryTwice({}, suite)
  expect(named(failed)).toEqual(['The suite: ended with exit code 3'])
  expect(passed).toBe(0)
})
