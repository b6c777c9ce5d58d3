// The rules of .oxlintrc.json that are our own, tried on files that break them.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The rules that each file breaks, `plugin(rule)`, by the file's path. */
function brokenRules(files: Record<string, string>): Record<string, string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'lint-'))
  try {
    cpSync(join(root, '.oxlintrc.json'), join(folder, '.oxlintrc.json'))
    for (const [path, code] of Object.entries(files)) {
      mkdirSync(join(folder, dirname(path)), { recursive: true })
      writeFileSync(join(folder, path), code)
    }
    const oxlint = join(root, 'node_modules/oxlint/bin/oxlint')
    const { stdout, stderr } = spawnSync(process.execPath, [oxlint, '--format=json'], {
      cwd: folder,
      encoding: 'utf8',
    })
    expect(stderr).toBe('')
    const { diagnostics } = JSON.parse(stdout) as {
      diagnostics: { filename: string; code: string }[]
    }
    const codesOf = (path: string) =>
      diagnostics.filter(({ filename }) => filename === path).map(({ code }) => code)
    return Object.fromEntries(Object.keys(files).map((path) => [path, codesOf(path)]))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('a screen uses no bare element that ui/ has a part for; a part of ui/ may', () => {
  const elements = ['button', 'input', 'select', 'textarea', 'dialog', 'progress', 'img']
  const broken = brokenRules(
    Object.fromEntries(
      ['app', 'features/home', 'ui'].flatMap((folder) =>
        elements.map((element) => [
          `web/src/${folder}/${element}.tsx`,
          `export const drawn: unknown = <${element} />\n`,
        ]),
      ),
    ),
  )
  for (const element of elements) {
    const forbidden = ['react(forbid-elements)']
    expect(broken[`web/src/app/${element}.tsx`]).toEqual(forbidden)
    expect(broken[`web/src/features/home/${element}.tsx`]).toEqual(forbidden)
    expect(broken[`web/src/ui/${element}.tsx`]).toEqual([])
  }
})

test('what plain http pages lack is used only in the one file with a fallback', () => {
  const code = "void crypto.randomUUID()\nvoid navigator.clipboard.writeText('a')\n"
  const rule = 'eslint(no-restricted-properties)'
  expect(
    brokenRules({
      'web/src/features/home/forbidden.ts': code,
      'web/src/features/home/some.test.ts': code,
      'web/src/lib/new-id.ts': 'void crypto.randomUUID()\n',
    }),
  ).toEqual({
    'web/src/features/home/forbidden.ts': [rule, rule],
    'web/src/features/home/some.test.ts': [],
    'web/src/lib/new-id.ts': [],
  })
})

test('screens and journeys take what ours wraps from us', () => {
  expect(
    brokenRules({
      'web/src/features/home/menu.tsx': "export { Dialog } from 'radix-ui'\n",
      'web/src/ui/menu.tsx': "export { Dialog } from 'radix-ui'\n",
      'e2e/home.spec.ts': "export { test } from '@playwright/test'\n",
    }),
  ).toEqual({
    'web/src/features/home/menu.tsx': ['eslint(no-restricted-imports)'],
    'web/src/ui/menu.tsx': [],
    'e2e/home.spec.ts': ['eslint(no-restricted-imports)'],
  })
})

test('files that import each other in a circle are found, by types too and through `#…`', () => {
  const circle = 'import(no-cycle)'
  expect(
    brokenRules({
      'web/package.json': '{ "imports": { "#*": "./src/*" } }',
      'web/src/a.ts': "import type { B } from '#b.ts'\nexport type A = { b: B }\n",
      'web/src/b.ts': "import { c } from './c.ts'\nexport type B = typeof c\n",
      'web/src/c.ts': "import type { A } from './a.ts'\nexport const c = (a: A) => a\n",
      'web/src/d.ts': "import { c } from './c.ts'\nexport const d = c\n",
    }),
  ).toEqual({
    'web/package.json': [],
    'web/src/a.ts': [circle],
    'web/src/b.ts': [circle],
    'web/src/c.ts': [circle],
    'web/src/d.ts': [],
  })
})

test('rules that need types are on, and files are named in kebab case', () => {
  const floating = 'export async function Save() {}\nSave()\n'
  expect(brokenRules({ 'server/src/SaveIt.test.ts': floating })).toEqual({
    'server/src/SaveIt.test.ts': ['unicorn(filename-case)', 'typescript(no-floating-promises)'],
  })
})
