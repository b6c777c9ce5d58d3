import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const src = join(import.meta.dirname, '..')
/** The mark has its own colours in every theme, and avatars pick theirs from a tested list. */
const OWN_COLOURS = ['ui/logo.tsx', 'ui/initials.ts', 'ui/brand-scene.tsx']

/** Sizes in brackets, and the framework's own scales, which theme.css takes away: they would show as nothing. */
const STRAY =
  /(?:text|rounded(?:-[a-z]+)?|shadow|leading)-\[[^\]]+\]|\b(?:text-(?:xs|sm|base|lg|\d?xl)|rounded(?:-[tblr]{1,2})?-(?:sm|md|lg|\d?xl)|shadow-(?:sm|md|lg|xl))\b/g

const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => /^(app|features|ui)\/.*\.tsx?$/.test(file) && !file.includes('.test.'))

test('colours, type sizes, radii and shadows come from the tokens alone', () => {
  const strays = files.flatMap((file) => {
    const text = readFileSync(join(src, file), 'utf8')
    const found = text.match(STRAY) ?? []
    const colours = OWN_COLOURS.includes(file) ? [] : (text.match(/#[0-9a-f]{6}\b/g) ?? [])
    return [...found, ...colours].map((stray) => `${file}: ${stray}`)
  })
  expect(strays).toEqual([])
})
