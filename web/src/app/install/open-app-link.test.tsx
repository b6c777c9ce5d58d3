import { render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, expect, test } from 'vitest'
import { OpenAppLink } from './open-app-link.tsx'

afterEach(() => history.replaceState(null, '', '/'))

function draw(address: string) {
  history.replaceState(null, '', address)
  render(
    <MemoryRouter initialEntries={[address]}>
      <OpenAppLink />
    </MemoryRouter>,
  )
}

test('a page opened from a mail that the app requested links back to the app', () => {
  draw('/new-password?from-app=1')
  const link = screen.getByRole<HTMLAnchorElement>('link', { name: 'Open Rally' })
  expect(link.getAttribute('href')).toBe('com.example.rally://')
})

test('a changed address links back to the profile', () => {
  draw('/profile?from-app=1')
  expect(screen.getByRole('link').getAttribute('href')).toBe('com.example.rally://profile')
})

test('every other page has no link to the app', () => {
  draw('/new-password')
  expect(screen.queryByRole('link')).toBeNull()
})
