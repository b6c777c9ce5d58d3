// WORKERS=n: this process owns the database, and n others serve behind its port. One that crashes is replaced, and SIGHUP replaces
// all, one after the other.
import cluster, { type Worker } from 'node:cluster'
import { setTimeout as wait } from 'node:timers/promises'
import { createLog } from 'backend/http/create-log.ts'
import { loadPushKeys } from '../push-keys.ts'
import { prepareInstallation } from '../prepare-installation.ts'
import { respondWhileStarting } from '../readiness.ts'
import { SettingsError, type Settings } from '../settings.ts'
import type { RunningServer } from '../start-server.ts'
import { gatherForWorkers } from './gather-for-workers.ts'
import type { ToPrimary, ToWorker } from './messages.ts'

/** After each crash in a row twice as long, until a worker has lived for `STABLE_MS`. */
const FIRST_BACKOFF_MS = 500
const MAX_BACKOFF_MS = 30_000
const STABLE_MS = 60_000
/** What a worker may take after draining, to close. */
const CLOSE_MS = 15_000

export type RunningWorkers = RunningServer & {
  /** Replaces all workers, one after the other, each after its successor is ready. */
  restart(): Promise<void>
}

type Slot = { number: number; worker: Worker | null; crashes: number }

/** @throws SettingsError for what the operator can fix */
export async function startWorkers(
  settings: Settings,
  { demo }: { demo: boolean },
): Promise<RunningWorkers> {
  if (!settings.SMTP_URL)
    throw new SettingsError(
      'WORKERS needs SMTP_URL: the built-in mailbox is in the memory of one process.',
    )
  const log = createLog(settings.LOG_LEVEL)
  const closers: (() => Promise<unknown>)[] = []
  const slots: Slot[] = Array.from({ length: settings.WORKERS }, (_, index) => ({
    ...{ number: index + 1, worker: null, crashes: 0 },
  }))
  let isStopping = false
  let restarting: Promise<void> | null = null
  let databaseUrl = ''
  let push = ''

  /** Resolves when it is ready. */
  async function fork(slot: Slot): Promise<Worker> {
    const worker = cluster.fork({ WORKER_NUMBER: String(slot.number) })
    closeWhatItNeverTook(worker)
    const startedAt = performance.now()
    let isReady = false
    await new Promise<void>((resolve, reject) => {
      let reason = 'it ended before it was ready'
      worker.on('message', (message: ToPrimary) => {
        // What was said to it before is lost, so it does not know that it is to end.
        if (message.kind === 'hello' && isStopping) worker.process.kill('SIGKILL')
        else if (message.kind === 'hello') tell(worker, { kind: 'start', databaseUrl })
        if (message.kind === 'failed') reason = message.message
        if (message.kind !== 'ready') return
        isReady = true
        push = message.push
        resolve()
      })
      worker.once('exit', () => reject(new Error(reason)))
      // A message could not reach it, because it is dying ('exit' follows); or it could not be started at all.
      worker.on('error', reject)
    })
    worker.once('exit', (code, signal) => {
      if (slot.worker !== worker || isStopping || !isReady) return
      slot.worker = null
      if (performance.now() - startedAt > STABLE_MS) slot.crashes = 0
      log.error({ worker: slot.number, code, signal }, 'a worker ended unexpectedly; replacing it')
      void replaceCrashed(slot)
    })
    slot.worker = worker
    return worker
  }

  async function replaceCrashed(slot: Slot) {
    while (!isStopping && !slot.worker) {
      await wait(Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** slot.crashes++))
      if (isStopping || slot.worker) return
      await fork(slot).catch((error: unknown) =>
        log.error({ err: error, worker: slot.number }, 'a worker could not be started'),
      )
    }
  }

  /** Resolves when it has ended, if need be by force. */
  async function end(worker: Worker, isReplaced: boolean) {
    if (worker.isDead()) return
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
    tell(worker, { kind: 'drain', isReplaced })
    const force = setTimeout(
      () => worker.process.kill('SIGKILL'),
      settings.DRAIN_SECONDS * 1000 + CLOSE_MS,
    )
    await ended
    clearTimeout(force)
  }

  async function restartAll() {
    for (const slot of slots) {
      const old = slot.worker
      if (isStopping || !old) continue
      try {
        await fork(slot)
        await end(old, true)
      } catch (error) {
        log.error({ err: error }, 'restarting stopped: the successor of a worker did not start')
        return
      }
    }
  }

  const running = () => Object.values(cluster.workers ?? {}).filter((each) => each !== undefined)
  const close = async () => {
    isStopping = true
    for (const worker of running()) worker.process.kill('SIGKILL')
    while (closers.length) await closers.pop()?.()
  }

  const freePort = await respondWhileStarting(settings)
  closers.push(freePort)
  try {
    const installation = await prepareInstallation(settings, { log, closers, demo })
    databaseUrl = installation.databaseUrl
    await loadPushKeys(settings.DATA_DIR)
    gatherForWorkers(() => slots)
    await freePort()
    await Promise.all(slots.map(fork))
    return {
      url: settings.SITE_URL ?? `http://localhost:${settings.PORT}`,
      push,
      mailboxSecret: null,
      setUpCode: installation.setUpCode,
      async restart() {
        restarting ??= restartAll().finally(() => (restarting = null))
        await restarting
      },
      async drain(signal) {
        isStopping = true
        const workers = running()
        signal.addEventListener('abort', () => workers.forEach((each) => tell(each, HURRY)))
        await Promise.all(workers.map((worker) => end(worker, false)))
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/**
 * Node hands a worker a connection and waits for an acknowledgement before the next. If the worker dies before that, Node keeps
 * the connection for good: open, and served by nobody (nodejs/node-v0.x-archive#7006). Closed instead, the client connects again.
 */
function closeWhatItNeverTook({ process: child }: Worker) {
  /** By the number of their message; several if the server listens at several addresses. */
  const handed = new Map<number, { close(): void }>()
  const send = child.send.bind(child) as (...args: unknown[]) => boolean
  child.send = (...args: unknown[]) => {
    const [message, connection] = args as [{ seq: number }, { close(): void } | undefined]
    if (connection) handed.set(message.seq, connection)
    return send(...args)
  }
  child.on('internalMessage', ({ ack }: { ack?: number }) => {
    if (ack !== undefined) handed.delete(ack)
  })
  // Not 'disconnect': it waits for the acknowledgement, too.
  child.once('close', () => handed.forEach((connection) => connection.close()))
}

const HURRY: ToWorker = { kind: 'hurry' }

function tell(worker: Worker, message: ToWorker) {
  if (worker.isConnected()) worker.send(message)
}
