import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import '#ui/theme.css'
import { loadConfig } from '#lib/load-config.ts'
import { getLocale } from '#lib/messages/runtime.js'
import { connectSupabase } from '#lib/supabase-connection.ts'
import { applyTheme } from '#lib/theme.ts'
import { App } from './app.tsx'
import { StartFailed } from './start-failed.tsx'

applyTheme()
document.documentElement.lang = getLocale()
const root = createRoot(document.getElementById('root')!)

try {
  connectSupabase(await loadConfig())
  root.render(<StrictMode children={<App />} />)
} catch (error) {
  console.error('The app could not start', error)
  root.render(<StartFailed />)
}
