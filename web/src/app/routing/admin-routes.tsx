import { lazyScreen } from './lazy-screen.ts'
import { routesUnder } from './routes-under.tsx'

/* One line per screen. */
/* prettier-ignore */
export const AdminRoutes = routesUnder('/admin', {
  '': lazyScreen(async () => (await import('./admin-page.tsx')).AdminPage),
  invite: lazyScreen(async () => (await import('#features/invitations/invite-screen.tsx')).InviteScreen),
  invitations: lazyScreen(async () => (await import('#features/invitations/sent/invitations-screen.tsx')).InvitationsScreen),
  members: lazyScreen(async () => (await import('#features/members/members-screen.tsx')).MembersScreen),
  audit: lazyScreen(async () => (await import('#features/audit-log/audit-log-screen.tsx')).AuditLogScreen),
  records: lazyScreen(async () => (await import('#features/records/records-screen.tsx')).RecordsScreen),
  settings: lazyScreen(async () => (await import('./team-settings-page.tsx')).TeamSettingsPage),
  system: lazyScreen(async () => (await import('#features/system/system-screen.tsx')).SystemScreen),
  links: lazyScreen(async () => (await import('#features/dashboard/broken-links-screen.tsx')).BrokenLinksScreen),
})
