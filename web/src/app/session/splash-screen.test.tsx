import { render } from '@testing-library/react'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { SplashScreen } from './splash-screen.tsx'

/** The classes and shapes that determine how the logo looks and where it is. */
function markOf(root: ParentNode | null | undefined) {
  const frame = root?.querySelector('div')
  const svg = frame?.querySelector('svg')
  return {
    frame: frame?.className,
    size: svg?.getAttribute('class'),
    shapes: [...(svg?.querySelectorAll('path, rect') ?? [])].map(
      (shape) => shape.getAttribute('d') ?? shape.getAttribute('rx'),
    ),
  }
}

test('the static page shows the logo exactly where the splash screen does', () => {
  const page = new DOMParser().parseFromString(
    readFileSync(`${import.meta.dirname}/../../../index.html`, 'utf8'),
    'text/html',
  )
  const drawn = markOf(render(<SplashScreen />).container)
  expect(drawn.shapes).toHaveLength(3)
  expect(markOf(page.querySelector('#root'))).toEqual(drawn)
})
