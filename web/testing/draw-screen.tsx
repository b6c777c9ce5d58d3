import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { MemoryRouter, Route, Routes, useLocation, type Location } from 'react-router'

type Draw = { path: string; search?: string; hash?: string; state?: unknown; screen: ReactNode }

/**
 * Renders one screen at its address; any other address renders its path, so that a test sees where the
 * member went.
 */
export function renderScreen({ path, search = '', hash = '', state, screen }: Draw) {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  return render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter initialEntries={[{ pathname: path, search, hash, state }]}>
        <Routes>
          <Route path={path} element={screen} />
          <Route path="*" element={<Whereabouts />} />
        </Routes>
      </MemoryRouter>
    </QueryClientProvider>,
  )
}

function Whereabouts() {
  const { pathname, state } = useLocation() as Location<unknown>
  return (
    <>
      <p>at {pathname}</p>
      <p>with {JSON.stringify(state)}</p>
    </>
  )
}
