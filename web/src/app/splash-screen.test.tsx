import { render } from '@testing-library/react'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { SplashScreen } from './splash-screen.tsx'

/** The classes and shapes that decide where the mark stands and what it is. */
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

test('the page before the code arrives shows the mark just as the splash screen does after', () => {
  const page = new DOMParser().parseFromString(
    readFileSync(`${import.meta.dirname}/../../index.html`, 'utf8'),
    'text/html',
  )
  const drawn = markOf(render(<SplashScreen />).container)
  expect(drawn.shapes).toHaveLength(3)
  expect(markOf(page.querySelector('#root'))).toEqual(drawn)
})
