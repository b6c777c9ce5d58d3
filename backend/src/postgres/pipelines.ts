// The connections of the data API. Each carries up to two requests at once, so that Postgres never idles between them.
// Statements expected to be fast share connections. One expected to be slow gets a connection to itself, and only a few
// per caller at a time. One that is unexpectedly slow is canceled and waits for such a connection, if it delays another
// request or its caller has too many, so that no request waits behind another caller's slow one.
import { ConnectionLostError, RequestAbortedError } from './errors.ts'
import { LIMITS } from './limits.ts'
import {
  attributeError,
  canRunAgain,
  isAborted,
  mayShare,
  openPipeline,
  pidOf,
  type Job,
  type Pipeline,
} from './pipeline.ts'
import { SlowStatements } from './slow-statements.ts'
import { WaitingLine, type Requester } from './waiting-line.ts'

const PIPELINES = 4
const WATCH_MS = 50

/** How to end what a Postgres backend does, by its pid. */
export type BackendSignals = {
  /** Ends its statement. */
  cancel(pid: number): Promise<unknown>
  /** Ends its connection. */
  terminate(pid: number): Promise<unknown>
}

export class Pipelines {
  private readonly slots: (Pipeline | null)[] = Array.from({ length: PIPELINES }, () => null)
  private readonly extra = new Set<Pipeline>()
  private readonly line = new WaitingLine<Job>()
  private readonly slow = new SlowStatements()
  private readonly url: string
  private readonly onError: (error: unknown) => void
  private readonly signals: BackendSignals
  private readonly placeNext = (job: Job) => this.place(job)
  private readonly hasRoom = () => this.leastBusy() !== null
  /** Runs while there are jobs. */
  private watch: NodeJS.Timeout | undefined
  private isClosed = false

  constructor(url: string, onError: (error: unknown) => void, signals: BackendSignals) {
    this.url = url
    this.onError = onError
    this.signals = signals
  }

  /**
   * Calls `send` with a connection for `text` as soon as one is available; again if that was canceled and rolled back.
   * @throws DatabaseBusyError, ConnectionLostError, ResponseTooLargeError, RequestAbortedError, and what `send` throws
   */
  async run<T>(
    requester: Requester,
    text: string,
    send: (pipeline: Pipeline) => Promise<T>,
  ): Promise<T> {
    const { key, isAnonymous, signal } = requester
    const job: Job = {
      key,
      isAnonymous,
      signal,
      text,
      isSlow: false,
      wasLate: false,
      mayBeCanceled: false,
      pipeline: null,
    }
    for (;;) {
      if (signal?.aborted) throw new RequestAbortedError('the client disconnected')
      if (this.isClosed) throw new ConnectionLostError('the database connections are closed')
      if (!this.place(job)) await this.line.wait(job)
      const pipeline = job.pipeline as unknown as Pipeline
      const onAbort = signal && (() => this.terminateSoon(pipeline))
      if (onAbort) signal.addEventListener('abort', onAbort)
      try {
        await pipeline.connected
        return await send(pipeline)
      } catch (error) {
        if (!canRunAgain(job, error)) throw attributeError(pipeline, error)
      } finally {
        if (onAbort) signal.removeEventListener('abort', onAbort)
        this.release(pipeline, job)
      }
    }
  }

  async close(): Promise<void> {
    this.isClosed = true
    clearInterval(this.watch)
    this.line.rejectAll(new ConnectionLostError('the database connections are closed'))
    await Promise.all(
      [...this.slots, ...this.extra].map(async (pipeline) => {
        await pipeline?.connected.then(() => pipeline.client.end()).catch(() => undefined)
      }),
    )
  }

  /** Assigns a connection to the job if one is available to it now. */
  private place(job: Job): boolean {
    const isSlow = this.slow.includes(job)
    if (isSlow && !this.slow.mayStart(job)) return false
    const pipeline = this.leastBusy()
    if (!pipeline) return false
    if (isSlow) this.slow.start(job)
    if (pipeline.jobs.length === 0) pipeline.since = performance.now()
    pipeline.jobs.push(job)
    job.pipeline = pipeline
    job.mayBeCanceled = false
    this.watch ??= setInterval(() => this.findLate(), WATCH_MS)
    return true
  }

  private leastBusy(): Pipeline | null {
    let second: Pipeline | null = null
    for (let slot = 0; slot < PIPELINES; slot++) {
      const pipeline = this.slots[slot] ?? this.open(slot)
      if (pipeline.isCanceling) continue
      if (pipeline.jobs.length === 0) return pipeline
      if (!second && mayShare(pipeline.jobs)) second = pipeline
    }
    return second
  }

  private open(slot: number): Pipeline {
    const pipeline = openPipeline(this.url)
    const { client, connected } = pipeline
    client.on('error', (error) => {
      // A connection we terminated ourselves is not an error.
      if (!pipeline.isTerminated) this.onError(error)
      this.detach(pipeline)
    })
    client.on('end', () => this.detach(pipeline))
    connected.then(
      () => (pipeline.since = performance.now()),
      () => this.detach(pipeline),
    )
    return (this.slots[slot] = pipeline)
  }

  private release(pipeline: Pipeline, job: Job) {
    const now = performance.now()
    pipeline.jobs.splice(pipeline.jobs.indexOf(job), 1)
    this.slow.record(job.text, now - pipeline.since)
    pipeline.since = now
    if (job.isSlow) this.slow.end(job)
    if (pipeline.prepared.isFull) this.detach(pipeline)
    if (pipeline.isDetached) this.closeWhenDone(pipeline)
    else if (pipeline.jobs.some(isAborted)) this.terminateSoon(pipeline)
    this.admitWaiting()
  }

  private closeWhenDone(pipeline: Pipeline) {
    // Stays open while it is canceled, so that its pid cannot be reused meanwhile.
    if (!pipeline.isDetached || pipeline.jobs.length > 0 || pipeline.isCanceling) return
    this.extra.delete(pipeline)
    if (!pipeline.isTerminated) pipeline.client.end().catch(this.onError)
  }

  private admitWaiting() {
    this.line.admitWith(this.placeNext, this.hasRoom)
  }

  private findLate() {
    const now = performance.now()
    let isIdle = this.line.isEmpty
    for (const pipeline of [...this.slots, ...this.extra]) {
      const job = pipeline?.jobs[0]
      if (!pipeline || !job) continue
      isIdle = false
      const isWorking = pidOf(pipeline) !== null && !pipeline.isTerminated
      if (!isWorking || now - pipeline.since < LIMITS.slowStatementMs) continue
      // If this process stalled, the response may just be unread: only a statement late on two ticks is slow.
      if (job.wasLate) this.isolateLateJob(pipeline, job, now - pipeline.since)
      else job.wasLate = true
    }
    if (isIdle) {
      clearInterval(this.watch)
      this.watch = undefined
    } else this.admitWaiting()
  }

  /** Keeps a late job from delaying others. */
  private isolateLateJob(pipeline: Pipeline, job: Job, milliseconds: number) {
    this.slow.record(job.text, milliseconds)
    if (!job.isSlow) {
      this.slow.treatCallerAsSlow(job)
      if (pipeline.jobs.length > 1 || !this.slow.mayStart(job)) return this.cancel(pipeline)
      this.slow.start(job)
    }
    if (!this.line.isEmpty && this.extra.size < LIMITS.extraConnections) this.detach(pipeline)
  }

  private cancel(pipeline: Pipeline) {
    const pid = pidOf(pipeline)
    if (pid === null || pipeline.isCanceling) return
    pipeline.isCanceling = true
    // Postgres may finish the first job at this very moment; then the cancel hits the second.
    for (const job of pipeline.jobs) job.mayBeCanceled = true
    void this.signals
      .cancel(pid)
      .catch(this.onError)
      .then(() => {
        pipeline.isCanceling = false
        this.closeWhenDone(pipeline)
        this.admitWaiting()
      })
  }

  private detach(pipeline: Pipeline) {
    const slot = this.slots.indexOf(pipeline)
    if (slot >= 0) this.slots[slot] = null
    pipeline.isDetached = true
    if (pipeline.jobs.length > 0) this.extra.add(pipeline)
  }

  /**
   * Terminates a connection whose clients have all disconnected, unless it responds soon: most statements finish before
   * a new connection could be opened. A connection that another request still uses is left alone.
   */
  private terminateSoon(pipeline: Pipeline) {
    setTimeout(() => {
      const pid = pidOf(pipeline)
      if (pid === null || pipeline.isTerminated || !pipeline.jobs.length) return
      if (!pipeline.jobs.every(isAborted)) return
      // Postgres may finish the statement at this very moment. Detach first, so that no other request uses the
      // connection, and keep it open until the backend is terminated, so that its pid cannot be reused meanwhile.
      this.detach(pipeline)
      pipeline.isTerminated = true
      void this.signals
        .terminate(pid)
        .catch(this.onError)
        .then(() => pipeline.client.end())
        .catch(this.onError)
    }, LIMITS.cancelAfterMs)
  }
}
