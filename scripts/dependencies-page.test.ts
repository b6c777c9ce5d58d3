// docs/dependencies.md says why each package is here, and lists no removed ones.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

type Manifest = Record<'dependencies' | 'devDependencies', Record<string, string> | undefined> & {
  workspaces?: string[]
}
const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
const manifest = (folder: string) => JSON.parse(read(`${folder}/package.json`)) as Manifest
const manifests = ['.', ...(manifest('.').workspaces ?? [])].map(manifest)
const [toRun = '', toCheck = ''] = read('docs/dependencies.md').split('\n## ').slice(1)

test('every dependency has a line', () => {
  expect(linesOf(toRun)).toEqual(namesIn('dependencies'))
})

test('every devDependency has a line', () => {
  const toBuildOrRun = new Set(namesIn('dependencies'))
  expect(linesOf(toCheck)).toEqual(
    namesIn('devDependencies').filter((name) => !toBuildOrRun.has(name)),
  )
})

function namesIn(kind: 'dependencies' | 'devDependencies') {
  return [...new Set(manifests.flatMap((each) => Object.keys(each[kind] ?? {})))].sort()
}

function linesOf(section: string) {
  return [...section.matchAll(/^\| `([^`]+)`\s*\| \S/gm)].map(([, name]) => name)
}
