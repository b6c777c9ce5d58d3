// A fair queue of requests that wait for a connection. Callers take turns, so that a caller with many requests delays
// the others by one request, not by all. A request leaves when admitted, when its client disconnects, or on timeout.
import { DatabaseBusyError, RequestAbortedError } from './errors.ts'
import { LIMITS } from './limits.ts'

/** The caller behind a request. Requests with the same `key` share one turn. */
export type Requester = { key: string; isAnonymous: boolean; signal: AbortNotice | undefined }

/** The part of an AbortSignal that is used here. */
export type AbortNotice = {
  readonly aborted: boolean
  addEventListener(type: 'abort', listener: () => void): void
  removeEventListener(type: 'abort', listener: () => void): void
}

type Entry<A extends Requester> = {
  requester: A
  since: number
  resolve(): void
  reject(error: Error): void
  onAbort: (() => void) | null
}

const TICK_MS = 50

export class WaitingLine<A extends Requester> {
  private readonly lines = new Map<string, Entry<A>[]>()
  private size = 0
  private anonymous = 0
  private timer: NodeJS.Timeout | undefined

  get isEmpty(): boolean {
    return this.size === 0
  }

  /**
   * Resolves once `admit` accepts the request.
   * @throws DatabaseBusyError or RequestAbortedError
   */
  wait(requester: A): Promise<void> {
    const line = this.lines.get(requester.key) ?? []
    if (
      this.size >= LIMITS.waitingRequests ||
      line.length >= LIMITS.waitingRequestsPerCaller ||
      (requester.isAnonymous && this.anonymous >= LIMITS.waitingAnonymousRequests)
    ) {
      return Promise.reject(new DatabaseBusyError('too many requests are waiting for a connection'))
    }
    return new Promise<void>((resolve, reject) => {
      const entry: Entry<A> = {
        requester,
        since: performance.now(),
        resolve,
        reject,
        onAbort: null,
      }
      if (requester.signal) {
        entry.onAbort = () =>
          this.rejectEntry(entry, new RequestAbortedError('the client disconnected'))
        requester.signal.addEventListener('abort', entry.onAbort)
      }
      line.push(entry)
      if (line.length === 1) this.lines.set(requester.key, line)
      this.count(requester, 1)
      this.timer ??= setInterval(() => this.tick(), TICK_MS)
    })
  }

  /** Admits the requests that `admit` accepts, each caller in turn, while there is room. */
  admitWith(admit: (requester: A) => boolean, hasRoom: () => boolean): void {
    while (this.size > 0 && hasRoom() && this.admitOne(admit));
  }

  private admitOne(admit: (requester: A) => boolean): boolean {
    for (const [key, line] of this.lines) {
      const index = line.findIndex((entry) => admit(entry.requester))
      const entry = line[index]
      if (!entry) continue
      this.remove(entry, line, index)
      // Moves the caller to the end of the line.
      if (line.length > 0) {
        this.lines.delete(key)
        this.lines.set(key, line)
      }
      entry.resolve()
      return true
    }
    return false
  }

  rejectAll(error: Error): void {
    for (const entry of [...this.lines.values()].flat()) {
      this.rejectEntry(entry, error)
    }
  }

  private tick() {
    const oldest = performance.now() - LIMITS.waitMs
    for (const entry of [...this.lines.values()].flat()) {
      if (entry.since > oldest) continue
      this.rejectEntry(entry, new DatabaseBusyError('no connection became free in time'))
    }
  }

  private rejectEntry(entry: Entry<A>, error: Error) {
    const line = this.lines.get(entry.requester.key)
    const index = line?.indexOf(entry) ?? -1
    if (!line || index < 0) return
    this.remove(entry, line, index)
    entry.reject(error)
  }

  private remove({ requester, onAbort }: Entry<A>, line: Entry<A>[], index: number) {
    if (onAbort) requester.signal?.removeEventListener('abort', onAbort)
    line.splice(index, 1)
    if (line.length === 0) this.lines.delete(requester.key)
    this.count(requester, -1)
    if (this.size > 0) return
    clearInterval(this.timer)
    this.timer = undefined
  }

  private count(requester: Requester, change: 1 | -1) {
    this.size += change
    if (requester.isAnonymous) this.anonymous += change
  }
}

/** A semaphore of `capacity`, with at most `perCaller` entries of the same key. */
export class FairGate {
  private readonly inside = new Map<string, number>()
  private readonly line = new WaitingLine<Requester>()
  private readonly capacity: number
  private readonly perCaller: number
  private total = 0

  constructor(capacity: number, perCaller: number) {
    this.capacity = capacity
    this.perCaller = perCaller
  }

  /** Resolves with a function that leaves the gate. */
  async enter(requester: Requester): Promise<() => void> {
    if (!this.admit(requester)) await this.line.wait(requester)
    return () => {
      this.total--
      const left = (this.inside.get(requester.key) ?? 1) - 1
      if (left > 0) this.inside.set(requester.key, left)
      else this.inside.delete(requester.key)
      this.line.admitWith(
        (each) => this.admit(each),
        () => this.total < this.capacity,
      )
    }
  }

  private admit({ key }: Requester): boolean {
    const own = this.inside.get(key) ?? 0
    if (this.total >= this.capacity || own >= this.perCaller) return false
    this.total++
    this.inside.set(key, own + 1)
    return true
  }
}
