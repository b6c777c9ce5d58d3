// `/_metrics` reaches one worker, which responds on behalf of all: each sample says whose it is.
import type { Metric } from '../metrics/exposition.ts'
import type { ToPrimary, ToWorker, WorkerMetrics } from './messages.ts'

const TIMEOUT_MS = 3_000

/** @param own the figures of this process @returns what gathers those of all */
export type GatherMetrics = (own: () => Promise<Metric[]>) => () => Promise<Metric[]>

/** For a worker: reports its own figures when the primary asks, and asks the primary for all. */
export function gatherFromWorkers(): GatherMetrics {
  const waiting = new Map<number, (all: WorkerMetrics[]) => void>()
  let collect: (() => Promise<Metric[]>) | null = null
  let count = 0
  const tell = (message: ToPrimary) => process.send?.(message)

  process.on('message', (message: ToWorker) => {
    if (message.kind === 'gathered') waiting.get(message.id)?.(message.all)
    if (message.kind !== 'collect') return
    const { id } = message
    void Promise.resolve(collect?.() ?? []).then((metrics) => {
      tell({ kind: 'collected', id, metrics })
    })
  })
  const gather = async () => {
    const id = ++count
    const all = await new Promise<WorkerMetrics[]>((resolve) => {
      waiting.set(id, resolve)
      setTimeout(() => resolve([]), TIMEOUT_MS).unref()
      tell({ kind: 'gather', id })
    })
    waiting.delete(id)
    return mergeMetrics(all)
  }
  return (own) => {
    collect = own
    return gather
  }
}

/** One metric of each name, with a sample of each worker. */
export function mergeMetrics(all: WorkerMetrics[]): Metric[] {
  const merged = new Map<string, Metric>()
  for (const { worker, metrics } of all) {
    for (const metric of metrics) {
      const samples = metric.samples.map((each) => ({
        ...each,
        labels: { ...each.labels, worker },
      }))
      const known = merged.get(metric.name)
      if (known) known.samples.push(...samples)
      else merged.set(metric.name, { ...metric, samples })
    }
  }
  return [...merged.values()]
}
