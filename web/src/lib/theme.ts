export type ThemeChoice = 'system' | 'light' | 'dark'

const KEY = 'theme'

/** The member's choice on this device. */
export function themeChoice(): ThemeChoice {
  const stored = localStorage.getItem(KEY)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

/** Remembers and applies a choice; "system" follows the device. */
export function chooseTheme(choice: ThemeChoice) {
  localStorage.setItem(KEY, choice)
  applyTheme()
}

/** Applies the remembered choice; theme.css does the rest. */
export function applyTheme() {
  const choice = themeChoice()
  if (choice === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = choice
}
