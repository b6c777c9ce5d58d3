// One connection of the data API and the requests on it.
import { ResponseTooLargeError, ConnectionLostError } from './errors.ts'
import { GuardedClient } from './guarded-client.ts'
import { PreparedTexts } from './prepared-texts.ts'
import type { Requester } from './waiting-line.ts'

/** Measured on two cores: 2 to 4 connections with two requests in flight on each saturate Postgres. */
const IN_FLIGHT_PER_PIPELINE = 2

export type Job = Requester & {
  text: string
  /** Counts toward its caller's slow statements. */
  isSlow: boolean
  /** Took unexpectedly long. */
  wasLate: boolean
  /** Its connection was sent a cancel, so Postgres may have ended it for no fault of its own. */
  mayBeCanceled: boolean
  pipeline: Pipeline | null
}

export type Pipeline = {
  client: GuardedClient
  prepared: PreparedTexts
  connected: Promise<unknown>
  /** In the order sent; Postgres works on the first. */
  jobs: Job[]
  /** When Postgres started on the first job. */
  since: number
  /** Accepts no more jobs and is closed after the last one. */
  isDetached: boolean
  /** Its first job is being canceled. It accepts no jobs meanwhile: the cancel might hit them. */
  isCanceling: boolean
  /** Its backend is being terminated. */
  isTerminated: boolean
  /** Its oversized response has been reported to one job; the other job did not cause it. */
  isSizeErrorReported: boolean
}

export function openPipeline(url: string): Pipeline {
  const client = new GuardedClient({
    connectionString: url,
    pipeline: true,
    application_name: 'data-pipeline',
  })
  return {
    client,
    prepared: new PreparedTexts(),
    connected: client.connect(),
    jobs: [],
    since: 0,
    isDetached: false,
    isCanceling: false,
    isTerminated: false,
    isSizeErrorReported: false,
  }
}

/** The process of its Postgres backend; null until connected. */
export const pidOf = ({ client }: Pipeline) =>
  (client as unknown as { processID: number | null }).processID

export const isAborted = (job: Job) => job.signal?.aborted === true

/** Whether another job may be sent behind those of a pipeline. */
export const mayShare = (jobs: readonly Job[]) =>
  jobs.length < IN_FLIGHT_PER_PIPELINE &&
  !jobs.some((job) => job.isSlow || job.wasLate || isAborted(job))

/**
 * Whether the job ended because its connection was canceled for the sake of others. Postgres rolled it back, so it can
 * run again.
 */
export function canRunAgain(job: Job, error: unknown): boolean {
  const isCanceled = error instanceof Error && 'code' in error && error.code === '57014'
  return isCanceled && job.mayBeCanceled && !isAborted(job)
}

/** When a response is too large, the first request to fail is the one that caused it. */
export function attributeError(pipeline: Pipeline, error: unknown): unknown {
  if (!(error instanceof ResponseTooLargeError)) return error
  if (pipeline.isSizeErrorReported) {
    return new ConnectionLostError('the connection was closed for another request', {
      cause: error,
    })
  }
  pipeline.isSizeErrorReported = true
  return error
}
