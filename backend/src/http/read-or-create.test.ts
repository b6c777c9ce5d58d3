import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadInstallationKeys } from './installation-keys.ts'
import { readOrCreate } from './read-or-create.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'read-or-create-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test('of several that start at once, all get what the first has written', async () => {
  const path = join(folder, 'secret')
  const texts = await Promise.all(
    Array.from({ length: 20 }, (_, n) => readOrCreate(path, () => Promise.resolve(`number ${n}`))),
  )
  expect(new Set(texts).size).toBe(1)
  expect(await readOrCreate(path, () => Promise.reject(new Error('Not again')))).toBe(texts[0])
  expect(await readdir(folder)).toEqual(['secret'])
  expect((await stat(path)).mode & 0o777).toBe(0o600)
})

test('a draft that a crash left behind is in nobody’s way', async () => {
  const path = join(folder, 'secret')
  await writeFile(`${path}.draft`, 'half of i')
  expect(await readOrCreate(path, () => Promise.resolve('all of it'))).toBe('all of it')
})

test('processes that start on one new folder have the same keys', async () => {
  const dataDir = join(folder, 'new')
  const keys = await Promise.all(Array.from({ length: 5 }, () => loadInstallationKeys(dataDir)))
  expect(new Set(keys.map((each) => JSON.stringify(each))).size).toBe(1)
})
