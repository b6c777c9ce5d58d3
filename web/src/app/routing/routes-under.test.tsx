import { render } from '@testing-library/react'
import { Suspense } from 'react'
import { MemoryRouter, Route, Routes } from 'react-router'
import { expect, test, vi } from 'vitest'
import { lazyScreen } from './lazy-screen.ts'
import { routesUnder } from './routes-under.tsx'

const loadMembers = vi.fn(() => Promise.resolve(() => 'Members'))
const loadAudit = vi.fn(() => Promise.resolve(() => 'Audit log'))
const Admin = lazyScreen(() =>
  Promise.resolve(
    routesUnder('/admin', { members: lazyScreen(loadMembers), audit: lazyScreen(loadAudit) }),
  ),
)

function open(path: string) {
  const { container } = render(
    <MemoryRouter initialEntries={[path]}>
      <Suspense fallback="Loading">
        <Routes>
          <Route path="/admin/*" element={<Admin />} />
        </Routes>
      </Suspense>
    </MemoryRouter>,
  )
  return container
}

test('a page of an area that was loaded ahead is drawn at once, and the other pages are not loaded', async () => {
  await Admin.preload('/admin/members')
  expect(open('/admin/members').textContent).toBe('Members')
  expect(loadMembers).toHaveBeenCalledOnce()
  expect(loadAudit).not.toHaveBeenCalled()
})

test('an address in an area that has no page says so', async () => {
  await Admin.preload('/admin/no-such-page')
  expect(open('/admin/no-such-page').textContent).toContain('Page not found')
})
