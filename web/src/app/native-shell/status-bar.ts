import { Capacitor } from '@capacitor/core'
import { StatusBar, Style } from '@capacitor/status-bar'

/** The status bar is readable on the theme of the moment, chosen or the phone's. */
export async function followTheme() {
  const phoneIsDark = matchMedia('(prefers-color-scheme: dark)')
  const show = () =>
    showStatusBar(isDark(phoneIsDark.matches)).catch((error: unknown) =>
      console.warn('The status bar kept its colours', error),
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
  // The plugin's names mean the bar's background: "dark" has light signs.
  await StatusBar.setStyle({ style: dark ? Style.Dark : Style.Light })
  const color = document.querySelector<HTMLMetaElement>(
    `meta[name=theme-color][media*=${dark ? 'dark' : 'light'}]`,
  )?.content
  if (color && Capacitor.getPlatform() === 'android') await StatusBar.setBackgroundColor({ color })
}
