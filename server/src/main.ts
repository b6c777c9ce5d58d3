import cluster from 'node:cluster'
import { networkAddresses } from './network-addresses.ts'
import { readSettings, SettingsError } from './settings.ts'
import { startServer, type RunningServer } from './start-server.ts'
import { sayReady } from './say-ready.ts'
import { onStopSignal, STOP_SIGNALS } from './stop-signals.ts'
import { runWorker } from './workers/run-worker.ts'
import { startWorkers } from './workers/start-workers.ts'

const demo = process.argv.includes('--demo')
const withoutWebApp = process.argv.includes('--without-web-app')
const args = process.argv.slice(2).filter((each) => !['--demo', '--without-web-app'].includes(each))

if (cluster.isWorker) runWorker(args, { withoutWebApp })
else await run()

async function run() {
  const started = performance.now()
  let starting: Promise<RunningServer> | null = null
  let hasBegunToStop = () => false
  const stop = async (hurry: AbortSignal) => {
    const server = await starting?.catch(() => null)
    await server?.drain(hurry)
    await server?.close()
  }
  try {
    const settings = readSettings(process.env, args)
    const hasWorkers = settings.WORKERS > 1
    // In a terminal it says that the terminal was closed.
    const restarts = hasWorkers && !process.stdout.isTTY
    hasBegunToStop = onStopSignal(
      stop,
      STOP_SIGNALS.filter((each) => !restarts || each !== 'SIGHUP'),
    )
    if (hasWorkers) {
      const workers = startWorkers(settings, { demo })
      starting = workers
      if (restarts) process.on('SIGHUP', () => void workers.then((each) => each.restart()))
    } else starting = startServer(settings, { demo, withoutWebApp })
    const server = await starting
    sayReady({
      url: server.url,
      demo,
      addresses: networkAddresses(settings.HOST, settings.PORT),
      hasMailbox: !settings.SMTP_URL,
      mailboxSecret: server.mailboxSecret,
      setUpCode: server.setUpCode,
      push: server.push,
      seconds: (performance.now() - started) / 1000,
    })
  } catch (error) {
    if (hasBegunToStop()) return
    console.error(error instanceof SettingsError ? error.message : describe(error))
    process.exit(1)
  }
}

function describe(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return `Could not start: ${message}`
}
