// @vitest-environment node
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { AVATAR_COLORS } from './initials.ts'

const css = readFileSync(`${import.meta.dirname}/tokens.css`, 'utf8')
const THEMES = ['light', 'dark'] as const
type Theme = (typeof THEMES)[number]

/** Text needs 4.5:1 (WCAG 1.4.3); the edge of a control, a picture or the focus ring 3:1 (1.4.11). */
const TEXT = 4.5
const EDGE = 3

/** Every text color on every surface it is used on. */
const PAIRS: { ink: string[]; on: string[]; least: number }[] = [
  { ink: ['text', 'muted', 'primary'], on: ['bg', 'card', 'tint', 'theirs'], least: TEXT },
  { ink: ['text'], on: ['chosen', 'red-tint'], least: TEXT },
  { ink: ['red-text'], on: ['bg', 'card', 'red-tint'], least: TEXT },
  { ink: ['teal', 'gold'], on: ['bg', 'card'], least: TEXT },
  { ink: ['primary-ink'], on: ['primary'], least: TEXT },
  { ink: ['red-ink'], on: ['red'], least: TEXT },
  { ink: ['mine-ink'], on: ['mine'], least: TEXT },
  { ink: ['bg'], on: ['text'], least: TEXT },
  { ink: ['brand-ink', 'brand-muted'], on: ['brand-from', 'brand-to'], least: TEXT },
  { ink: ['brand-ink'], on: ['banner-from', 'banner-to', 'banner-ring'], least: TEXT },
  { ink: ['funnel-ink'], on: ['funnel-mouth', 'funnel-outlet'], least: TEXT },
  { ink: ['field-line', 'primary', 'red'], on: ['bg', 'card'], least: EDGE },
]

for (const theme of THEMES) {
  const cases = PAIRS.flatMap(({ ink, on, least }) =>
    ink.flatMap((front) => on.map((back) => ({ front, back, least }))),
  )
  test.each(cases)(`${theme}: $front on $back is at least $least:1`, ({ front, back, least }) => {
    expect(contrast(token(front, theme), token(back, theme))).toBeGreaterThanOrEqual(least)
  })
}

test.each(AVATAR_COLORS)('white initials are readable on %s', (color) => {
  expect(contrast('#ffffff', color)).toBeGreaterThanOrEqual(TEXT)
})

function token(name: string, theme: Theme): string {
  const [, value = ''] = new RegExp(`--${name}: ([^;]+);`).exec(css) ?? []
  const colors = value.match(/#[0-9a-f]{6}/g) ?? []
  const color = colors[theme === 'dark' ? colors.length - 1 : 0]
  if (!color) throw new Error(`tokens.css has no color --${name}`)
  return color
}

/** (L1 + 0.05) / (L2 + 0.05) of the relative luminances, as WCAG 2.2 defines it. */
function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = parseInt(color.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
