import { ensureBuilt, ensureInstalled } from './setup.mjs'
import { runUntilStopped } from './run.mjs'

await ensureInstalled({ withTestTools: false })
await ensureBuilt()
const args = ['--enable-source-maps', 'server/dist/main.js', ...process.argv.slice(2)]
runUntilStopped([{ command: process.execPath, args }])
