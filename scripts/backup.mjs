// npm run backup -- FOLDER: see docs/operations.md
import { runUntilStopped } from './run.mjs'
import { ensureBuilt, ensureInstalled } from './setup.mjs'

await ensureInstalled({ withTestTools: false })
await ensureBuilt()
const args = ['--enable-source-maps', 'server/dist/maintenance.js', 'backup']
runUntilStopped([{ command: process.execPath, args: [...args, ...process.argv.slice(2)] }])
