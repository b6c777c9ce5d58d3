// The Android and iOS projects are in step with the packages: copying the app into them changes no kept file.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { ROOT, tool } from './run.mjs'

const WEB = join(ROOT, 'web')
const PROJECTS = join(WEB, 'native')

const before = changed()
cap('sync')
const after = changed()
if (after !== before) fail(`"cap sync" changed files; commit them:\n${after}`)
cap('doctor', 'android')
// Its only other question is whether Xcode is there, which it can be on a Mac alone.
if (process.platform === 'darwin') cap('doctor', 'ios')

// What was being edited beforehand is not held against the projects.
function changed() {
  const { status, stdout } = spawnSync('git', ['diff', '--', PROJECTS], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  // A copy without git, such as an unpacked archive, has nothing to compare with.
  return status === 0 ? stdout : ''
}

/** @param {string[]} args */
function cap(...args) {
  const { status, stdout, stderr } = spawnSync(tool('cap'), args, {
    cwd: WEB,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  // The doctor says what is wrong and ends as if nothing were.
  const output = stdout + stderr
  if (status !== 0 || output.includes('[error]')) fail(`cap ${args.join(' ')}:\n${output}`)
}

/** @param {string} text @returns {never} */
function fail(text) {
  console.error(text)
  process.exit(1)
}
