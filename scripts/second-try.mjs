// What fails in a run of all tests runs again at the end, with nothing beside it. A test that then passes is flaky: it counts
// as passed and is listed, since each has a cause. A test that fails again has failed.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { run } from './run.mjs'

/** More of them fail the run: that is no coincidence any more. */
const MOST_FLAKY = 5

/**
 * What became of a test, a file of tests, a whole suite or another check in one try.
 * @typedef {object} Outcome
 * @property {string} id the same in both tries
 * @property {string} name
 * @property {string} [place] its file, or file and line, as an argument of its runner; absent if only a run of everything
 *   tries it again
 * @property {string} [byHand] the command that runs it alone
 * @property {string | null} error null if it passed
 * @property {boolean} [isTest] counts; the others count only when they fail
 * @property {boolean} [hasRun] false if something else kept it from running
 */

/**
 * A suite of tests. Its reporter writes the outcomes, and the errors that belong to no test or file, to the file that the
 * variable OUTCOMES names.
 * @typedef {object} Suite
 * @property {string} name
 * @property {string} command
 * @property {string[]} args
 * @property {string[]} secondTry further arguments of the second try
 * @property {string} [lastFailed] Playwright's list of tests to run again: a line of a file may hold several. Vitest gets the
 *   places
 * @property {string} byHand the command that runs one place, without it
 * @property {string} report the file for the outcomes
 * @property {Record<string, string>} [env]
 */

/**
 * Runs a suite, or parts of it. The last outcome is that of the suite itself.
 * @param {Suite} suite @param {string[]} [further] arguments @returns {Promise<Outcome[]>}
 */
export async function runSuite({ name, command, args, byHand, report, env }, further = []) {
  rmSync(report, { force: true })
  const code = await run(command, [...args, ...further], { env: { ...env, OUTCOMES: report } })
  /** @type {{ outcomes: Outcome[], errors: string[] }} */
  const { outcomes, errors } = existsSync(report)
    ? JSON.parse(readFileSync(report, 'utf8'))
    : { outcomes: [], errors: [] }
  // A runner that crashes may name nothing that failed.
  if (code !== 0 && errors.length === 0 && outcomes.every(({ error }) => error === null))
    errors.push(`ended with exit code ${code}`)
  return [
    ...outcomes.map((outcome) => ({ ...outcome, byHand: `${byHand} ${outcome.place}` })),
    { id: name, name, error: errors.join('; ') || null },
  ]
}

/**
 * Runs what failed again, by itself; everything if a failure has no place.
 * @param {Suite} suite @param {Outcome[]} first @returns {Promise<Outcome[]>} none if nothing failed
 */
export async function runFailedAgain(suite, first) {
  const failed = first.filter(({ error }) => error !== null)
  if (failed.length === 0) return []
  return runSuite(suite, [...suite.secondTry, ...selectionOf(suite, failed)])
}

function selectionOf({ lastFailed }, failed) {
  if (failed.some(({ place }) => !place)) return []
  if (!lastFailed) return [...new Set(failed.map(({ place }) => place))]
  const failedTests = failed.map(({ id }) => id)
  writeFileSync(lastFailed, JSON.stringify({ status: 'failed', failedTests }))
  return ['--last-failed', `--last-failed-file=${lastFailed}`]
}

/**
 * Joins the tries.
 * @param {Outcome[]} outcomes of all tries, in order
 * @returns {{ passed: number, failed: Outcome[], flaky: Outcome[] }} the failed ones with their last error, the flaky ones
 *   with their first
 */
export function settle(outcomes) {
  /** @type {Map<string, Outcome[]>} */
  const tries = new Map()
  for (const outcome of outcomes) tries.set(outcome.id, [...(tries.get(outcome.id) ?? []), outcome])
  const settled = [...tries.values()]
  const hasPassed = (all) => all.some(({ error }) => error === null)
  const flaky = settled.filter(hasPassed).flatMap((all) => all.find(isFailure) ?? [])
  const failed = settled.filter((all) => !hasPassed(all)).map((all) => all.at(-1))
  if (flaky.length > MOST_FLAKY) {
    const error = `${flaky.length}, and at most ${MOST_FLAKY} are put up with`
    failed.push({ id: 'flaky', name: 'Flaky tests', error })
  }
  return { passed: settled.filter((all) => hasPassed(all) && all[0].isTest).length, failed, flaky }
}

function isFailure({ error, hasRun = true }) {
  return error !== null && hasRun
}
