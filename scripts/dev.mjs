// Everything with hot reload: Vite serves the app and proxies API paths to the server.
import { ensureInstalled } from './setup.mjs'
import { DEMO_FOLDER, runUntilStopped, tool } from './run.mjs'

const WEB_PORT = '5173'

await ensureInstalled()
const port = process.env.PORT || '8080'
const server = {
  isWatcher: true,
  command: tool('tsx'),
  args: ['watch', '--clear-screen=false', 'server/src/main.ts', '--demo', '--without-web-app'],
  env: {
    PORT: port,
    SITE_URL: process.env.SITE_URL || `http://localhost:${WEB_PORT}`,
    DATA_DIR: process.env.DATA_DIR || DEMO_FOLDER,
  },
}
const web = {
  isWatcher: true,
  command: tool('vite'),
  args: ['web', '--port', WEB_PORT, '--strictPort'],
  env: { BACKEND_URL: `http://localhost:${port}` },
}
runUntilStopped([server, web])
