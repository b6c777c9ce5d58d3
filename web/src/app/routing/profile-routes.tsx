import { Route, Routes } from 'react-router'
import { lazyScreen } from './lazy-screen.ts'
import { NotFoundScreen } from './not-found-screen.tsx'
import { ProfilePage } from './profile-page.tsx'

// Opened once in a while.
const ReportsScreen = lazyScreen(
  async () => (await import('#features/safety/reports-screen.tsx')).ReportsScreen,
)
const BlockedScreen = lazyScreen(
  async () => (await import('#features/safety/blocked-screen.tsx')).BlockedScreen,
)

/** The profile and the pages below it, in one file of their own: what the login loads first knows one entry. */
export function ProfileRoutes() {
  return (
    <Routes>
      <Route index element={<ProfilePage />} />
      <Route path="reports" element={<ReportsScreen />} />
      <Route path="blocked" element={<BlockedScreen />} />
      <Route path="*" element={<NotFoundScreen />} />
    </Routes>
  )
}
