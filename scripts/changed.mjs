// What has changed since `main`, and the unit tests that it can affect: those that import it, and those that read it.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { tool } from './run.mjs'

const IS_TEST = /\.test\.tsx?$/
const IS_CODE = /\.[cm]?[jt]sx?$/
const IS_SQL = /\.sql$/
const IS_OF_DATABASE = /^supabase\//

/** Tests that read more than they import or name: what they read, and where they are. */
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
 * @property {string} base the commit they are compared with
 * @property {string[]} files from the root, deleted ones too
 */

/**
 * What has changed since the branch left `main` (of `origin`, if there is one): committed, not committed, and new.
 * @param {string} root of the repository @returns {Changes}
 */
export function changesIn(root) {
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' })
  const lines = (...args) => git(...args, '-z').split('\0')
  const base = git('merge-base', 'HEAD', mainBranch(git)).trim()
  const files = [
    ...lines('diff', '--name-only', base),
    ...lines('ls-files', '--others', '--exclude-standard'),
  ]
  return { base, files: [...new Set(files)].filter(Boolean).sort() }
}

function mainBranch(git) {
  try {
    git('rev-parse', '--verify', '--quiet', 'origin/main')
    return 'origin/main'
  } catch {
    return 'main'
  }
}

/**
 * @param {string} root of the repository, with the configuration of Vitest
 * @param {Changes} changes
 * @returns {string[]} the test files that they can affect, from the root
 */
export function affectedTests(root, { base, files }) {
  const affected = new Set(testsThatImport(root, base))
  const tests = listTests(root)
  for (const [what, readers] of READERS)
    if (files.some((file) => what.test(file)))
      for (const test of tests) if (readers.test(test)) affected.add(test)
  for (const file of files) {
    const names = namesIn(root, file)
    if (!names) continue
    for (const test of tests.filter((each) => !IS_SQL.test(file) || IS_OF_DATABASE.test(each)))
      if (names.test(textOf(join(root, test)))) affected.add(test)
  }
  return [...affected].sort()
}

/** By Vitest's graph of modules. */
function testsThatImport(root, base) {
  const folder = mkdtempSync(join(tmpdir(), 'changed-'))
  const answer = join(folder, 'tests.json')
  try {
    const args = ['list', '--filesOnly', `--changed=${base}`, `--json=${answer}`]
    execFileSync(tool('vitest'), args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
    return JSON.parse(readFileSync(answer, 'utf8')).map(({ file }) => relative(root, file))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function listTests(root) {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const files = execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 })
  return files.split('\0').filter((file) => IS_TEST.test(file) && existsSync(join(root, file)))
}

/** Finds what a test says that reads this file without importing it: its name, or what it defines. */
function namesIn(root, file) {
  if (IS_CODE.test(file)) return null
  if (!IS_SQL.test(file)) return new RegExp(`['"\`/]${escaped(basename(file))}['"\`]`)
  const names = [...readIfThere(join(root, file)).matchAll(DEFINITIONS)].map(([, name]) =>
    escaped(name),
  )
  return names.length > 0 ? new RegExp(`\\b(${names.join('|')})\\b`) : null
}

function escaped(text) {
  return text.replaceAll(/[^\w]/g, '\\$&')
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
