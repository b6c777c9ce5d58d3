import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { matchPath } from 'react-router'
import '#ui/theme.css'
import '#app/routing/before-pop.ts'
import { loadConfig } from '#lib/supabase/load-config.ts'
import { applyLocale } from '#lib/i18n/locale.ts'
import { connectSupabase } from '#lib/supabase/supabase-connection.ts'
import { applyTheme } from '#lib/theme.ts'
import { App } from './app.tsx'
import { listenForInstallPrompt } from '#app/install/install-offer.ts'
import { registerServiceWorker } from '#app/install/register-service-worker.ts'
import { routes } from '#app/routing/routes.tsx'
import { StartFailed } from '#app/session/start-failed.tsx'

applyTheme()
void applyLocale()
const root = createRoot(document.getElementById('root')!)

// Loads the requested page's code in parallel with the configuration.
routes.find((route) => matchPath(route.path, location.pathname))?.screen.preload?.()

async function start() {
  try {
    connectSupabase(await loadConfig())
    root.render(<StrictMode children={<App />} />)
  } catch (error) {
    console.error('The app could not start', error)
    root.render(<StartFailed />)
  }
}

listenForInstallPrompt()
registerServiceWorker()
void start()
