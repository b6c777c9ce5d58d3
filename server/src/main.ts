import { networkAddresses } from './network-addresses.ts'
import { readSettings, SettingsError } from './settings.ts'
import { startServer, type RunningServer } from './start-server.ts'
import { sayReady } from './say-ready.ts'

const demo = process.argv.includes('--demo')
const withoutWebApp = process.argv.includes('--without-web-app')
const started = performance.now()

let stopping = false
let starting: Promise<RunningServer> | null = null

async function stop() {
  if (stopping) return
  stopping = true
  const server = await starting?.catch(() => null)
  await server?.close()
  process.exit(0)
}

process.on('SIGINT', () => void stop())
process.on('SIGTERM', () => void stop())
process.on('SIGHUP', () => void stop())

try {
  const args = process.argv
    .slice(2)
    .filter((each) => !['--demo', '--without-web-app'].includes(each))
  const settings = readSettings(process.env, args)
  starting = startServer(settings, { demo, withoutWebApp })
  const server = await starting
  sayReady({
    url: server.url,
    demo,
    addresses: networkAddresses(settings.HOST, settings.PORT),
    hasMailbox: !settings.SMTP_URL,
    mailboxSecret: server.mailboxSecret,
    push: server.push,
    seconds: (performance.now() - started) / 1000,
  })
} catch (error) {
  if (!stopping) {
    console.error(error instanceof SettingsError ? error.message : describe(error))
    process.exit(1)
  }
}

function describe(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return `Could not start: ${message}`
}
