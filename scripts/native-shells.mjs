// Checks that the Android and iOS projects match the packages: `cap sync` must not change a tracked file.
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
// The only other check is whether Xcode is installed, which only a Mac can have.
if (process.platform === 'darwin') cap('doctor', 'ios')

// Changes made before the check don't count.
function changed() {
  const { status, stdout } = spawnSync('git', ['diff', '--', PROJECTS], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  // Without git, such as in an unpacked archive, there is nothing to compare with.
  return status === 0 ? stdout : ''
}

/** @param {string[]} args */
function cap(...args) {
  const { status, stdout, stderr } = spawnSync(tool('cap'), args, {
    cwd: WEB,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  // `cap doctor` reports problems but exits with 0.
  const output = stdout + stderr
  if (status !== 0 || output.includes('[error]')) fail(`cap ${args.join(' ')}:\n${output}`)
}

/** @param {string} text @returns {never} */
function fail(text) {
  console.error(text)
  process.exit(1)
}
