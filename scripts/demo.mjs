import { ensureBuilt, ensureInstalled } from './setup.mjs'
import { runUntilStopped } from './run.mjs'

await ensureInstalled({ withTestTools: false })
await ensureBuilt()
// The demo team has its own folder, so that `npm start` never mixes it with a real team's data.
const env = { DATA_DIR: process.env.DATA_DIR || '.data-demo' }
const args = ['--enable-source-maps', 'server/dist/main.js', '--demo', ...process.argv.slice(2)]
runUntilStopped([{ command: process.execPath, args, env }])
