import { useState } from 'react'
import { chooseLocale, useLocale } from '#lib/i18n/locale.ts'
import { m } from '#lib/messages/messages.js'
import { chooseTheme, themeChoice, type ThemeChoice } from '#lib/theme.ts'
import { SegmentedControl } from '#ui/segmented-control.tsx'
import { rememberLocale } from './account-changes.ts'
import { SettingGroup } from './setting-group.tsx'

// Each language is named in itself, so that its speakers can read it.
const LANGUAGES = [
  { value: 'en', label: 'English' },
  { value: 'es', label: 'Español' },
] as const

export function LookAndLanguage() {
  const [theme, setTheme] = useState(themeChoice)
  function choose(choice: ThemeChoice) {
    chooseTheme(choice)
    setTheme(choice)
  }
  return (
    <>
      <SettingGroup title={m.profile_language()}>
        <div className="p-3">
          <SegmentedControl
            label={m.profile_language()}
            options={[...LANGUAGES]}
            value={useLocale()}
            onChange={(locale) => {
              chooseLocale(locale)
              void rememberLocale(locale)
            }}
          />
        </div>
      </SettingGroup>
      <SettingGroup title={m.profile_appearance()}>
        <div className="p-3">
          <SegmentedControl
            label={m.profile_appearance()}
            options={[
              { value: 'system', label: m.profile_system() },
              { value: 'light', label: m.profile_light() },
              { value: 'dark', label: m.profile_dark() },
            ]}
            value={theme}
            onChange={choose}
          />
        </div>
      </SettingGroup>
    </>
  )
}
