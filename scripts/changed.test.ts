// A small repository with real Git and Vitest.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { terminalEnv } from './terminal-env.ts'

vi.setConfig({ testTimeout: 240_000 })

const ROOT = join(import.meta.dirname, '..')
const CHANGED = JSON.stringify(join(ROOT, 'scripts/changed.mjs'))

/** `node_modules` is a symbolic link, which `node_modules/` would not match. */
const EMPTY = { '.gitignore': 'node_modules\n', 'vitest.config.mjs': 'export default {}' }

let folder: string

function git(...args: string[]) {
  const who = ['-c', 'user.name=Ana', '-c', 'user.email=ana@example.com', '-c', 'core.hooksPath=']
  return execFileSync('git', [...who, ...args], {
    cwd: folder,
    env: terminalEnv,
    encoding: 'utf8',
  }).trim()
}

function write(files: Record<string, string>) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

function commit(files: Record<string, string>) {
  write(files)
  git('add', '--all')
  git('commit', '--quiet', '--message', 'A change')
  return git('rev-parse', 'HEAD')
}

type Result = { changes: { base: string; files: string[] }; tests: string[] }

/** What `changed.mjs` says about the repository. */
function ask(): Result {
  const program = `
    import { affectedTests, changesIn } from ${CHANGED}
    const changes = changesIn(process.cwd())
    console.log(JSON.stringify({ changes, tests: affectedTests(process.cwd(), changes) }))`
  const args = ['--input-type=module', '--eval', program]
  const output = execFileSync(process.execPath, args, {
    cwd: folder,
    env: terminalEnv,
    encoding: 'utf8',
  })
  return JSON.parse(output) as Result
}

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'changed-')))
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  git('init', '--quiet', '--initial-branch=main')
})
afterEach(() => rmSync(folder, { recursive: true }))

const aTest = (text: string) => `import { test } from 'vitest'\n${text}\ntest('fine', () => {})`

test('what changed since the branch left main selects the tests that import it, name it, or ask for what it defines', () => {
  const base = commit({
    ...EMPTY,
    'price.ts': 'export const price = 1',
    'cart.ts': "export { price } from './price.ts'",
    'tests/cart.test.ts': aTest("import '../cart.ts'"),
    'tests/page.test.ts': aTest("const page = 'docs/limits.md'"),
    'tests/other.test.ts': aTest('// Says nothing of limits.md, asks for no goals.'),
    'docs/limits.md': 'Ten.',
    'supabase/tests/goals.test.ts': aTest("import './a-scene.ts'"),
    'supabase/tests/a-scene.ts': "export const sql = 'select * from goals'",
    'supabase/tests/reports.test.ts': aTest("const sql = 'select * from reports'"),
    'supabase/schemas/goals.sql': 'create table public.goals (id int);',
  })
  commit({ 'later.ts': 'export {}' })
  git('checkout', '--quiet', '-b', 'topic', base)
  expect(ask()).toEqual({ changes: { base, files: [] }, tests: [] })

  commit({ 'price.ts': 'export const price = 2' })
  expect(ask()).toEqual({ changes: { base, files: ['price.ts'] }, tests: ['tests/cart.test.ts'] })

  // Not committed, and not known to Git.
  write({
    'docs/limits.md': 'Eleven.',
    'supabase/schemas/who_reads.sql': 'create policy "members read goals" on public.goals;',
  })
  expect(ask()).toEqual({
    changes: { base, files: ['docs/limits.md', 'price.ts', 'supabase/schemas/who_reads.sql'] },
    tests: ['supabase/tests/goals.test.ts', 'tests/cart.test.ts', 'tests/page.test.ts'],
  })
})

test('on main it is what the remote repository does not have yet', () => {
  const pushed = commit(EMPTY)
  git('update-ref', 'refs/remotes/origin/main', pushed)
  commit({ 'two.ts': '', 'two.test.ts': aTest("import './two.ts'") })
  expect(ask()).toEqual({
    changes: { base: pushed, files: ['two.test.ts', 'two.ts'] },
    tests: ['two.test.ts'],
  })
})

test('a deleted file selects the tests that still name it, and a deleted test is not selected', () => {
  const base = commit({
    ...EMPTY,
    'a.test.ts': aTest(''),
    'b.test.ts': aTest("const page = 'page.md'"),
    'page.md': '',
  })
  git('checkout', '--quiet', '-b', 'topic')
  git('rm', '--quiet', 'a.test.ts', 'page.md')
  expect(ask()).toEqual({
    changes: { base, files: ['a.test.ts', 'page.md'] },
    tests: ['b.test.ts'],
  })
})
