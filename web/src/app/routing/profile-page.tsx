import { ProfileScreen } from '#features/profile/profile-screen.tsx'
import { SettingGroup } from '#features/profile/setting-group.tsx'
import { SafetySettings } from '#features/safety/safety-settings.tsx'
import { m } from '#lib/messages/messages.js'

/** The profile with rows of other features, which only the app may join. */
export function ProfilePage() {
  return (
    <ProfileScreen>
      <SettingGroup title={m.safety_title()}>
        <SafetySettings />
      </SettingGroup>
    </ProfileScreen>
  )
}
