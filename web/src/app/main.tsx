import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { matchPath } from 'react-router'
import '#ui/theme.css'
import { loadConfig } from '#lib/load-config.ts'
import { applyLocale } from '#lib/locale.ts'
import { connectSupabase } from '#lib/supabase-connection.ts'
import { applyTheme } from '#lib/theme.ts'
import { App } from './app.tsx'
import { listenForInstallPrompt } from './install-offer.ts'
import { registerServiceWorker } from './register-service-worker.ts'
import { routes } from './routes.tsx'
import { StartFailed } from './start-failed.tsx'

applyTheme()
void applyLocale()
const root = createRoot(document.getElementById('root')!)

// The code of the page asked for travels while the configuration does.
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
