import { ensureBuilt, ensureInstalled } from './setup.mjs'
import { DEMO_FOLDER, runUntilStopped } from './run.mjs'

await ensureInstalled({ withTestTools: false })
await ensureBuilt()
const env = { DATA_DIR: process.env.DATA_DIR || DEMO_FOLDER }
const args = ['--enable-source-maps', 'server/dist/main.js', '--demo', ...process.argv.slice(2)]
runUntilStopped([{ command: process.execPath, args, env }])
