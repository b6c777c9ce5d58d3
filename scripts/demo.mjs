import { ensureBuilt, ensureInstalled } from './setup.mjs'
import { runUntilStopped } from './run.mjs'

await ensureInstalled()
await ensureBuilt()
// The demo team has a folder of its own, so that `npm start` never finds it among a real team's data.
const env = { DATA_DIR: process.env.DATA_DIR || '.data-demo' }
const args = ['--enable-source-maps', 'server/dist/main.js', '--demo', ...process.argv.slice(2)]
runUntilStopped([{ command: process.execPath, args, env }])
