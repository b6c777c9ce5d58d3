// npm run archive -- verify: see docs/archive.md
import { runUntilStopped } from './run.mjs'
import { ensureBuilt, ensureInstalled } from './setup.mjs'

await ensureInstalled({ withTestTools: false })
await ensureBuilt()
const args = ['--enable-source-maps', 'server/dist/maintenance.js', 'archive']
runUntilStopped([{ command: process.execPath, args: [...args, ...process.argv.slice(2)] }])
