// A Playwright reporter: writes the outcomes for second-try.mjs to the file OUTCOMES.
import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

export default class PlaywrightOutcomes {
  #errors = []

  onBegin(config, suite) {
    this.rootDir = config.rootDir
    this.suite = suite
  }

  /** Outside of a test: a server that does not start, a file that cannot be loaded. */
  onError(error) {
    this.#errors.push(error)
  }

  onEnd() {
    const report = {
      outcomes: this.suite?.allTests().flatMap((test) => testOutcome(test, this.rootDir)) ?? [],
      errors: this.#errors.map(firstLine),
    }
    writeFileSync(process.env.OUTCOMES, JSON.stringify(report))
  }

  printsToStdio() {
    return false
  }
}

function testOutcome(test, rootDir) {
  if (test.expectedStatus === 'skipped') return []
  const { file, line } = test.location
  const place = `${relative(rootDir, file)}:${line}`
  const outcome = { id: test.id, name: `${place} › ${test.title}`, place, isTest: true }
  // After too many failures, or when what it depends on has failed.
  if (test.outcome() === 'skipped') return { ...outcome, hasRun: false, error: 'did not run' }
  const failed = test.results.find(({ status }) => status !== test.expectedStatus)
  return { ...outcome, error: failed ? firstLine(failed.error) : null }
}

function firstLine({ message = 'unknown error' } = {}) {
  return stripVTControlCharacters(message).split('\n')[0].slice(0, 200)
}
