import { Capacitor } from '@capacitor/core'
import { StatusBar, Style } from '@capacitor/status-bar'

/** Keeps the status bar readable on the current theme, the member's or the phone's. */
export async function followTheme() {
  const phoneIsDark = matchMedia('(prefers-color-scheme: dark)')
  const show = () =>
    showStatusBar(isDark(phoneIsDark.matches)).catch((error: unknown) =>
      console.warn('Could not update the status bar', error),
    )
  phoneIsDark.addEventListener('change', () => void show())
  new MutationObserver(() => void show()).observe(document.documentElement, {
    attributeFilter: ['data-theme'],
  })
  await show()
}

function isDark(phoneIsDark: boolean) {
  const { theme } = document.documentElement.dataset
  return theme ? theme === 'dark' : phoneIsDark
}

async function showStatusBar(dark: boolean) {
  // The plugin's names describe the bar's background: "dark" has light icons.
  await StatusBar.setStyle({ style: dark ? Style.Dark : Style.Light })
  const color = document.querySelector<HTMLMetaElement>(
    `meta[name=theme-color][media*=${dark ? 'dark' : 'light'}]`,
  )?.content
  if (color && Capacitor.getPlatform() === 'android') await StatusBar.setBackgroundColor({ color })
}
