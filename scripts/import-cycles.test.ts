// No file imports itself by way of others, types included: two files that need each other are one, or lack a third.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const files = new Set(
  execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts', '*.tsx'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => file !== '' && existsSync(`${root}/${file}`)),
)

test('no imports go round in a circle', () => {
  const imports = new Map([...files].map((file) => [file, importsOf(file)]))
  expect(findCycles(imports).map((cycle) => cycle.join(' → '))).toEqual([])
})

test('a circle of three files is found, and named once', () => {
  const imports = new Map([
    ['a', ['b']],
    ['b', ['c', 'd']],
    ['c', ['a']],
    ['d', []],
  ])
  expect(findCycles(imports)).toEqual([['a', 'b', 'c', 'a']])
})

function importsOf(file: string): string[] {
  const { importedFiles } = ts.preProcessFile(readFileSync(`${root}/${file}`, 'utf8'), true)
  return importedFiles.flatMap(({ fileName }) => {
    const target = resolve(file, fileName)
    return target && files.has(target) ? [target] : []
  })
}

/** Only our own files: relative, `#…` of a package's `imports`, and the workspaces by name. */
function resolve(from: string, specifier: string): string | null {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from), specifier)
  if (specifier.startsWith('#')) return `${from.split('/')[0]}/src/${specifier.slice(1)}`
  if (specifier.startsWith('backend/testing/')) return specifier
  if (specifier.startsWith('backend/')) return `backend/src/${specifier.slice('backend/'.length)}`
  if (specifier.startsWith('supabase-project/'))
    return `supabase/${specifier.slice('supabase-project/'.length)}`
  return null
}

/** Each circle that a depth-first walk closes, beginning and ending with the same file. */
function findCycles(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const done = new Set<string>()
  const path: string[] = []
  const cycles: string[][] = []
  function visit(file: string) {
    if (done.has(file)) return
    const start = path.indexOf(file)
    if (start >= 0) {
      cycles.push([...path.slice(start), file])
      return
    }
    path.push(file)
    for (const next of imports.get(file) ?? []) visit(next)
    path.pop()
    done.add(file)
  }
  for (const file of imports.keys()) visit(file)
  return cycles
}
