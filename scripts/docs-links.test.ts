// Files and pages that the docs mention exist.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const pages = execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter(Boolean)

const ROOTS = /^(web|backend|supabase|server|e2e|bench|docs|scripts)\/[\w./*-]+$/

test.each(pages)('%s links to pages that exist', (page) => {
  const text = readFileSync(`${root}/${page}`, 'utf8')
  const targets = [...text.matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)(?:#[^)]*)?\)/g)]
  const missing = targets
    .map(([, target = '']) => posix.join(posix.dirname(page), target))
    .filter((target) => !existsSync(`${root}/${target}`))
  expect(missing).toEqual([])
})

test.each(pages)('%s mentions files that exist', (page) => {
  const text = readFileSync(`${root}/${page}`, 'utf8')
  const missing = [...text.matchAll(/`([^`\s]+)`/g)]
    .map(([, name = '']) => name.replace(/:\d+$/, ''))
    .filter((name) => ROOTS.test(name) && !/[*<{]|\/dist(\/|$)/.test(name))
    .filter((name) => !existsSync(`${root}/${name}`))
  expect(missing).toEqual([])
})
