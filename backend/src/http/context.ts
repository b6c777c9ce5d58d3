import type { Logger } from 'pino'
import type { Caller } from './caller.ts'
import type { ClientSignal } from './client-signal.ts'
import type { Clock } from './clock.ts'

/** What a handler gets besides the request itself. */
export type Context = {
  requestId: string
  /** The caller authenticated by the API key and bearer token. */
  caller: Caller
  /** The client's network address, for rate limits. */
  clientAddress: string
  /** Aborted when the client disconnects before it has the whole response. */
  signal: ClientSignal
  /**
   * For a service that reads the body itself: call it with the size of each piece that is kept in memory.
   * @throws ServiceError 429 when too much is in memory already
   */
  holdBody(bytes: number): void
  /** The public URL of this service, without a trailing slash: `http://localhost:8080`. */
  origin: string
  clock: Clock
  randomId(): string
  log: Logger
}

/** Every service is one handler, so that it can be called over HTTP and in-process. */
export type Handler = (request: Request, context: Context) => Promise<Response>
