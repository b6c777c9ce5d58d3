import { render, screen } from '@testing-library/react'
import { readdirSync, readFileSync } from 'node:fs'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { UiPage } from './ui-page.tsx'

const src = `${import.meta.dirname}/../..`
/** Used by other parts, without a look of its own, or rendered once by the app for all screens. */
const WITHIN_OTHERS = [
  'field',
  'loaded-modal',
  'opened-menu',
  'pull-to-refresh',
  'skip-link',
  'toaster',
]

test('the page renders', () => {
  render(<UiPage />, { wrapper: MemoryRouter })
  expect(screen.getByRole('heading', { name: 'Buttons' })).toBeTruthy()
})

test('every part of ui/ is on it', () => {
  const page = readdirSync(import.meta.dirname)
    .map((file) => readFileSync(`${import.meta.dirname}/${file}`, 'utf8'))
    .join()
  const parts = readdirSync(`${src}/ui`)
    .filter((file) => file.endsWith('.tsx') && !file.includes('.test.'))
    .map((file) => file.replace('.tsx', ''))
  expect(
    parts.filter((part) => !WITHIN_OTHERS.includes(part) && !page.includes(`#ui/${part}.tsx`)),
  ).toEqual([])
})
