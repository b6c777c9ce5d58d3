// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const src = join(import.meta.dirname, '..')
/** The logo keeps its own colors in every theme, and avatars use a tested list. */
const OWN_COLORS = ['ui/logo.tsx', 'ui/initials.ts', 'ui/brand-scene.tsx']

/** Arbitrary values, and Tailwind scales that theme.css removes and that would silently do nothing. */
const STRAY =
  /(?:text|rounded(?:-[a-z]+)?|shadow|leading)-\[[^\]]+\]|\b(?:text-(?:xs|sm|base|lg|\d?xl)|rounded(?:-[tblr]{1,2})?-(?:sm|md|lg|\d?xl)|shadow-(?:sm|md|lg|xl))\b/g

const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => /^(app|features|ui)\/.*\.tsx?$/.test(file) && !file.includes('.test.'))

test('colors, type sizes, radii and shadows come only from the tokens', () => {
  const strays = files.flatMap((file) => {
    const text = readFileSync(join(src, file), 'utf8')
    const found = text.match(STRAY) ?? []
    const colors = OWN_COLORS.includes(file) ? [] : (text.match(/#[0-9a-f]{6}\b/g) ?? [])
    return [...found, ...colors].map((stray) => `${file}: ${stray}`)
  })
  expect(strays).toEqual([])
})
