import { ProfileScreen } from '#features/profile/profile-screen.tsx'
import { SettingGroup } from '#features/profile/setting-group.tsx'
import { SafetySettings } from '#features/safety/safety-settings.tsx'
import { m } from '#lib/messages/messages.js'
import { lazyScreen } from './lazy-screen.ts'
import { routesUnder } from './routes-under.tsx'

/* One line per screen; those loaded on demand are opened once in a while. */
/* prettier-ignore */
export const ProfileRoutes = routesUnder('/profile', {
  '': ProfilePage,
  reports: lazyScreen(async () => (await import('#features/safety/reports-screen.tsx')).ReportsScreen),
  blocked: lazyScreen(async () => (await import('#features/safety/blocked-screen.tsx')).BlockedScreen),
})

/** The profile with rows of other features, which only the app may join. */
function ProfilePage() {
  return (
    <ProfileScreen>
      <SettingGroup title={m.safety_title()}>
        <SafetySettings />
      </SettingGroup>
    </ProfileScreen>
  )
}
