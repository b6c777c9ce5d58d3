import { Route, Routes } from 'react-router'
import { SupervisionScreen } from '#features/supervision/supervision-screen.tsx'
import { NotFoundScreen } from './not-found-screen.tsx'

/** What supervisors see, in one file of its own: what the login loads first knows one entry. */
export function SupervisionRoutes() {
  return (
    <Routes>
      <Route index element={<SupervisionScreen />} />
      <Route path="*" element={<NotFoundScreen />} />
    </Routes>
  )
}
