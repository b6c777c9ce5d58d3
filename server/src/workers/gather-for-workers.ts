import cluster, { type Worker } from 'node:cluster'
import type { ToPrimary, ToWorker, WorkerMetrics } from './messages.ts'

/** A worker that does not respond in time is left out. */
const TIMEOUT_MS = 2_000

type Asked = { missing: Set<Worker>; all: WorkerMetrics[]; finish(): void }

/** For the primary: when a worker wants the figures of all, asks the one of each slot. */
export function gatherForWorkers(slots: () => { number: number; worker: Worker | null }[]): void {
  const open = new Map<number, Asked>()
  let count = 0

  function gather(asker: Worker, id: number) {
    const own = ++count
    const workers = slots().flatMap(({ worker }) => (worker?.isConnected() ? [worker] : []))
    const asked: Asked = {
      missing: new Set(workers),
      all: [],
      finish() {
        clearTimeout(timer)
        open.delete(own)
        const all = asked.all.toSorted((one, other) => Number(one.worker) - Number(other.worker))
        if (asker.isConnected()) asker.send({ kind: 'gathered', id, all } satisfies ToWorker)
      },
    }
    const timer = setTimeout(asked.finish, TIMEOUT_MS)
    open.set(own, asked)
    for (const worker of workers) worker.send({ kind: 'collect', id: own } satisfies ToWorker)
  }

  cluster.on('message', (worker: Worker, message: ToPrimary) => {
    if (message.kind === 'gather') gather(worker, message.id)
    if (message.kind !== 'collected') return
    const asked = open.get(message.id)
    const slot = slots().find((each) => each.worker === worker)
    if (!asked?.missing.delete(worker)) return
    if (slot) asked.all.push({ worker: String(slot.number), metrics: message.metrics })
    if (asked.missing.size === 0) asked.finish()
  })
}
