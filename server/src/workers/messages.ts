// What the primary and its workers say to each other.
import type { Metric } from '../metrics/exposition.ts'

export type ToWorker =
  | { kind: 'start'; databaseUrl: string }
  /** `isReplaced`: another worker has taken over; otherwise all of them end. */
  | { kind: 'drain'; isReplaced: boolean }
  /** There is no more time to drain. */
  | { kind: 'hurry' }
  | { kind: 'collect'; id: number }
  | { kind: 'gathered'; id: number; all: WorkerMetrics[] }

export type ToPrimary =
  /** It listens now. */
  | { kind: 'hello' }
  | { kind: 'ready'; push: string }
  | { kind: 'failed'; message: string }
  /** One worker was asked for figures, and wants those of all. */
  | { kind: 'gather'; id: number }
  | { kind: 'collected'; id: number; metrics: Metric[] }

export type WorkerMetrics = { worker: string; metrics: Metric[] }
