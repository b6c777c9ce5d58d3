// One of several processes behind one port. The primary commands it, not signals: Ctrl-C reaches all of them.
import { readSettings } from '../settings.ts'
import { startServer, type RunningServer } from '../start-server.ts'
import { gatherFromWorkers } from './gather-metrics.ts'
import type { ToPrimary, ToWorker } from './messages.ts'

const tellPrimary = (message: ToPrimary) => process.send?.(message)

/** Runs until the primary says to drain, or is gone. */
export function runWorker(args: string[], options: { withoutWebApp: boolean }): void {
  const hurry = new AbortController()
  let starting: Promise<RunningServer> | null = null
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)

  async function start(databaseUrl: string) {
    const settings = readSettings(process.env, args)
    const prepared = { databaseUrl, setUpCode: null }
    const gather = gatherFromWorkers()
    starting = startServer(settings, { ...options, prepared, gather })
    const { push } = await starting
    tellPrimary({ kind: 'ready', push })
  }

  async function stop(isReplaced: boolean) {
    const server = await starting?.catch(() => null)
    await server?.drain(hurry.signal, { isReplaced })
    await server?.close()
    process.exit(0)
  }

  process.on('message', (message: ToWorker) => {
    if (message.kind === 'start')
      start(message.databaseUrl).catch((error: unknown) => {
        const text = error instanceof Error ? error.message : String(error)
        tellPrimary({ kind: 'failed', message: text })
        process.exitCode = 1
        process.disconnect()
      })
    if (message.kind === 'drain') void stop(message.isReplaced)
    if (message.kind === 'hurry') hurry.abort()
  })
  tellPrimary({ kind: 'hello' })
}
