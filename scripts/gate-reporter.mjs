// A Vitest reporter for the gate: counts, and names everything that makes a run fail, also the errors that
// happened outside of a test, which Vitest's own JSON leaves out. Writes to the file UNIT_RESULTS.
import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { ROOT } from './run.mjs'

export default class GateReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const failed = tests.filter((test) => test.result().state === 'failed')
    const names = [
      ...failed.map(
        (test) => `${fileOf(test.module)} › ${test.fullName}: ${reason(test.result())}`,
      ),
      // A file that cannot be loaded has errors and no tests; one whose hooks fail may have passed all of its tests.
      ...modules.flatMap((module) =>
        [module, ...module.children.allSuites()].flatMap((suite) =>
          suite.errors().map((error) => `${nameOf(module, suite)}: ${firstLine(error.message)}`),
        ),
      ),
      ...unhandledErrors.map(
        (error) =>
          `outside of a test${error.VITEST_TEST_PATH ? ` in ${relative(ROOT, error.VITEST_TEST_PATH)}` : ''}: ` +
          `${firstLine(error.stack ?? error.message)}${firstFrame(error.stack)}`,
      ),
    ]
    const passed = tests.filter((test) => test.result().state === 'passed').length
    writeFileSync(process.env.UNIT_RESULTS, JSON.stringify({ passed, failed: names.length, names }))
  }
}

function fileOf({ moduleId }) {
  return relative(ROOT, moduleId)
}

function nameOf(module, suite) {
  return suite === module ? fileOf(module) : `${fileOf(module)} › ${suite.fullName}`
}

function reason({ errors = [] }) {
  return firstLine(errors[0]?.message)
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
