import { matchPath, Route, Routes } from 'react-router'
import { lazyScreen } from './lazy-screen.ts'

/* One line per screen. */
/* prettier-ignore */
const routes = [
  { path: '/admin', screen: lazyScreen(async () => (await import('./admin-page.tsx')).AdminPage) },
  { path: '/admin/invite', screen: lazyScreen(async () => (await import('#features/invitations/invite-screen.tsx')).InviteScreen) },
  { path: '/admin/invitations', screen: lazyScreen(async () => (await import('#features/invitations/sent/invitations-screen.tsx')).InvitationsScreen) },
  { path: '/admin/members', screen: lazyScreen(async () => (await import('#features/members/members-screen.tsx')).MembersScreen) },
  { path: '/admin/audit', screen: lazyScreen(async () => (await import('#features/audit-log/audit-log-screen.tsx')).AuditLogScreen) },
  { path: '/admin/records', screen: lazyScreen(async () => (await import('#features/records/records-screen.tsx')).RecordsScreen) },
  { path: '/admin/settings', screen: lazyScreen(async () => (await import('./team-settings-page.tsx')).TeamSettingsPage) },
  { path: '/admin/system', screen: lazyScreen(async () => (await import('#features/system/system-screen.tsx')).SystemScreen) },
  { path: '/admin/links', screen: lazyScreen(async () => (await import('#features/dashboard/broken-links-screen.tsx')).BrokenLinksScreen) },
  { path: '/admin/*', screen: lazyScreen(async () => (await import('./not-found-screen.tsx')).NotFoundScreen) },
]

/** The screens under /admin. */
export function AdminRoutes() {
  return (
    <Routes>
      {routes.map(({ path, screen: Screen }) => (
        <Route key={path} path={path.replace('/admin', '')} element={<Screen />} />
      ))}
    </Routes>
  )
}

/** Preloads the code of an admin screen. */
export async function preloadAdminScreen(pathname: string): Promise<void> {
  await routes.find(({ path }) => matchPath(path, pathname))?.screen.preload()
}
