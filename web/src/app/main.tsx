import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { listenForInstallPrompt } from '#app/install/install-offer.ts'
import { registerServiceWorker } from '#app/install/register-service-worker.ts'
import '#app/routing/before-pop.ts'
import { preloadScreen } from '#app/routing/preload-screen.ts'
import { StartFailed } from '#app/session/start-failed.tsx'
import { noteUncaughtErrors } from '#data/app-errors/note-app-error.ts'
import { applyLocale } from '#lib/i18n/locale.ts'
import { loadConfig } from '#lib/server/load-config.ts'
import { connectSupabase } from '#lib/server/supabase-connection.ts'
import { applyTheme } from '#lib/theme.ts'
import { guardPresses } from '#ui/press-guard.ts'
import '#ui/theme.css'
import { App } from './app.tsx'

noteUncaughtErrors()
guardPresses()
applyTheme()
void applyLocale()
const root = createRoot(document.getElementById('root')!)

// Loaded in parallel with the configuration. Drawn with all that belongs to it: one placeholder after another would each be kept
// for a while, and what the frame and the screen ask for goes together.
const page = preloadScreen(location.pathname)

async function start() {
  try {
    connectSupabase(await loadConfig())
    await page
    // Not before the code, which it would delay, and not as late as the first text. Without it there is a system font.
    document.fonts.load("1em 'Inter Variable'").catch(() => {})
    root.render(<StrictMode children={<App />} />)
  } catch (error) {
    console.error('The app could not start', error)
    root.render(<StartFailed />)
  }
}

listenForInstallPrompt()
registerServiceWorker()
void start()
