import { act, fireEvent, render, screen } from '@testing-library/react'
import { useRef } from 'react'
import { createMemoryRouter, Outlet, RouterProvider, useLocation } from 'react-router'
import { expect, test } from 'vitest'
import { useKeptScroll } from './use-kept-scroll.ts'

function Frame() {
  const main = useRef<HTMLElement>(null)
  useKeptScroll(main)
  return <main ref={main} key={useLocation().pathname} children={<Outlet />} />
}

function open() {
  const router = createMemoryRouter([{ path: '*', element: <Frame /> }], {
    initialEntries: ['/admin'],
  })
  render(<RouterProvider router={router} />)
  const main = () => screen.getByRole('main')
  return {
    go: (to: string, state?: unknown) => act(() => router.navigate(to, { state })),
    back: () => act(() => router.navigate(-1)),
    scrollTo(top: number) {
      main().scrollTop = top
      fireEvent.scroll(main())
    },
    position: () => main().scrollTop,
  }
}

test('the browser’s Back and the arrow of a screen lead to where one was on it', async () => {
  const { go, back, scrollTo, position } = open()
  scrollTo(500)
  await go('/admin/audit')
  expect(position()).toBe(0)
  await back()
  expect(position()).toBe(500)
  await go('/admin/audit')
  await go('/admin', { isReturn: true })
  expect(position()).toBe(500)
})

test('after a link has led to the top of a screen, the way back leads to the top', async () => {
  const { go, back, scrollTo, position } = open()
  scrollTo(500)
  await go('/home')
  await go('/admin')
  expect(position()).toBe(0)
  await go('/admin/audit')
  await back()
  expect(position()).toBe(0)
})
