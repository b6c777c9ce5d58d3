// A Vitest reporter: says how far the run is, shows each failure when it happens, and writes the outcomes for
// second-try.mjs to the file OUTCOMES. Unlike Vitest's own JSON it names errors that happened outside of a test too.
import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { ROOT } from './run.mjs'

const PROGRESS_MS = 30_000
const SLOWEST = 5
const FINISHED = ['passed', 'failed', 'skipped']

export default class VitestOutcomes {
  #counts = { passed: 0, failed: 0, skipped: 0, pending: 0 }
  #files = []

  onInit(vitest) {
    this.logger = vitest.logger
  }

  onTestRunStart(specifications) {
    this.#files = specifications
    const started = performance.now()
    this.timer = setInterval(() => {
      const { passed, failed } = this.#counts
      const seconds = Math.round((performance.now() - started) / 1000)
      console.log(`  ${seconds} s: ${passed} passed, ${failed} failed`)
    }, PROGRESS_MS)
  }

  onTestCaseResult(test) {
    const { state, errors = [] } = test.result()
    this.#counts[state]++
    if (state === 'failed') this.#show(nameOf(test), errors, test)
  }

  onTestRunEnd(modules, looseErrors) {
    clearInterval(this.timer)
    const slowest = modules
      .map((module) => ({ seconds: Math.round(module.diagnostic().duration / 1000), module }))
      .sort((one, other) => other.seconds - one.seconds)
      .slice(0, SLOWEST)
    const named = slowest.map(({ seconds, module }) => `${fileOf(module)} (${seconds} s)`)
    console.log(`  The slowest files: ${named.join(', ')}`)
    writeFileSync(process.env.OUTCOMES, JSON.stringify(this.#report(looseErrors)))
  }

  #report(looseErrors) {
    this.#show('Outside of a test', looseErrors)
    // A worker that dies leaves its file unfinished, and the error of its death names none. The next file may have been
    // handed to it already: that one has no module.
    const someAreUnfinished = this.#files.some(({ testModule }) => isUnfinished(testModule))
    const errorsOf = ({ moduleId, testModule }) =>
      looseErrors.filter(({ VITEST_TEST_PATH: path }) =>
        path ? path === moduleId : isUnfinished(testModule),
      )
    return {
      outcomes: this.#files.flatMap((file) => [
        this.#fileOutcome(file, errorsOf(file)),
        ...testOutcomes(file.testModule),
      ]),
      errors: looseErrors
        .filter(({ VITEST_TEST_PATH: path }) => !path && !someAreUnfinished)
        .map((error) => why([error])),
    }
  }

  // A file that cannot be loaded has errors and no tests; one whose hooks fail may have passed all of its tests.
  #fileOutcome(file, looseErrors) {
    const { moduleId, testModule: module } = file
    const suites = module ? [module, ...module.children.allSuites()] : []
    const own = suites.flatMap((suite) => suite.errors())
    this.#show(fileOf(file), own, module)
    const errors = [...own, ...looseErrors]
    return {
      id: moduleId,
      name: fileOf(file),
      place: fileOf(file),
      error: isUnfinished(module)
        ? `did not finish. ${why(errors)}`
        : errors.length
          ? why(errors)
          : null,
    }
  }

  #show(name, errors, entity) {
    if (errors.length === 0) return
    console.error(`\nFailed just now: ${name}`)
    for (const error of errors) this.logger.printError(error, { project: entity?.project })
  }
}

function testOutcomes(module) {
  return [...(module?.children.allTests() ?? [])].flatMap((test) => {
    const { state, errors = [] } = test.result()
    if (state !== 'passed' && state !== 'failed') return []
    const error = state === 'failed' ? why(errors) : null
    return { id: test.id, name: nameOf(test), place: fileOf(module), error, isTest: true }
  })
}

function isUnfinished(module) {
  return !FINISHED.includes(module?.state())
}

function fileOf({ moduleId }) {
  return relative(ROOT, moduleId)
}

function nameOf(test) {
  return `${fileOf(test.module)} › ${test.fullName}`
}

function why(errors) {
  const lines = errors.map(
    ({ message, cause, stack }) => firstLine(cause?.message ?? message) + firstFrame(stack),
  )
  return [...new Set(lines)].join('; ')
}

function firstLine(text = '') {
  return text.split('\n')[0].slice(0, 200)
}

function firstFrame(stack = '') {
  const frame = stack
    .split('\n')
    .find((line) => line.includes(ROOT) && !line.includes('node_modules'))
  return frame ? ` ${frame.trim().replace(ROOT, '')}` : ''
}
