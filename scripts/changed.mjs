// What has changed since `main`, and the unit tests it can affect: those that import it and those that read it.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { tool } from './run.mjs'

/** Of Git; more than the names of all files. */
const MAX_OUTPUT = 2 ** 26
const IS_TEST = /\.test\.tsx?$/
const IS_CODE = /\.[cm]?[jt]sx?$/
const IS_SQL = /\.sql$/
const IS_OF_DATABASE = /^supabase\//

/** Tests that read files without importing or naming them: the files, and the tests. */
const READERS = [
  [
    /^/,
    /^scripts\/(dependencies-page|docs-links|import-map|limits-page|live-events-page|product-name)\./,
  ],
  [/^web\//, /^web\/src\/(lib\/i18n|ui\/look-tokens)/],
  [IS_SQL, /^supabase\/tests\/(catalogue|schemas-and-migrations)\.|^web\/src\/lib\/i18n\//],
]

/** What an SQL file defines, and the tables that its policies and triggers are on. */
const DEFINITIONS =
  /\bcreate\s+(?:or\s+replace\s+)?(?:(?:function|table|view|type)|(?:policy|(?:constraint\s+)?trigger)\s[^;]*?\bon)\s+(?:\w+\.)?"?(\w+)/gi

/**
 * @typedef {object} Changes
 * @property {string} base the commit to compare with
 * @property {string[]} files from the root, including deleted ones
 */

/**
 * What has changed since the branch left `main` (of `origin`, if there is one): committed, uncommitted and untracked.
 * @param {string} root of the repository @returns {Changes}
 */
export function changesIn(root) {
  const mains = ['refs/heads/main', 'refs/remotes/origin/main']
  const main = git(root, 'for-each-ref', '--format=%(refname)', ...mains)
  const base = git(root, 'merge-base', 'HEAD', main.trim().split('\n').at(-1)).trim()
  const files = [
    ...listFiles(root, 'diff', '--name-only', base),
    ...listFiles(root, 'ls-files', '--others', '--exclude-standard'),
  ]
  return { base, files: [...new Set(files)].sort() }
}

/**
 * @param {string} root of the repository, with the configuration of Vitest
 * @param {Changes} changes
 * @returns {string[]} the test files that they can affect, from the root
 */
export function affectedTests(root, { base, files }) {
  const readings = files.flatMap((file) => readingsOf(root, file))
  const readers = listFiles(root, 'ls-files', '--cached', '--others', '--exclude-standard')
    .filter((file) => IS_TEST.test(file) && existsSync(join(root, file)))
    .filter((test) => {
      const text = textOf(join(root, test))
      return readings.some(({ tests, words }) => tests.test(test) && words.test(text))
    })
  return [...new Set([...testsThatImport(root, base), ...readers])].sort()
}

/** By Vitest's graph of modules. */
function testsThatImport(root, base) {
  const folder = mkdtempSync(join(tmpdir(), 'changed-'))
  const report = join(folder, 'tests.json')
  try {
    const args = ['list', '--filesOnly', `--changed=${base}`, `--json=${report}`]
    execFileSync(tool('vitest'), args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
    return JSON.parse(readFileSync(report, 'utf8')).map(({ file }) => relative(root, file))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Which tests may read a file without importing it, and the words that such a test contains. */
function readingsOf(root, file) {
  const readings = READERS.filter(([files]) => files.test(file)).map(([, tests]) => ({
    tests,
    words: /^/,
  }))
  if (IS_CODE.test(file)) return readings
  if (!IS_SQL.test(file)) {
    const name = basename(file).replaceAll(/[^\w]/g, '\\$&')
    return [...readings, { tests: /^/, words: new RegExp(`['"\`/]${name}['"\`]`) }]
  }
  const defined = [...readIfThere(join(root, file)).matchAll(DEFINITIONS)].map(([, name]) => name)
  if (defined.length === 0) return readings
  return [...readings, { tests: IS_OF_DATABASE, words: new RegExp(`\\b(${defined.join('|')})\\b`) }]
}

/** A test's text, and that of the files beside it that it imports: its cases, its scene. */
function textOf(file, seen = new Set()) {
  if (seen.has(file)) return ''
  seen.add(file)
  const text = readIfThere(file)
  const beside = [...text.matchAll(/(?:from|import) '(\.\/[\w./-]+)'/g)].map(([, path]) => path)
  return [text, ...beside.map((path) => textOf(join(dirname(file), path), seen))].join('\n')
}

function readIfThere(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

function listFiles(root, ...args) {
  return git(root, ...args, '-z')
    .split('\0')
    .filter(Boolean)
}

function git(root, ...args) {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: MAX_OUTPUT })
}
