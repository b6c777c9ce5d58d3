import type { Logger } from 'pino'
import type { Caller } from './caller.ts'
import type { Clock } from './clock.ts'

/** What a handler may know and use beside the request itself. */
export type Context = {
  requestId: string
  /** Whom the API key and the bearer token stand for; already verified. */
  caller: Caller
  /** The network address the request came from, for limits. */
  clientAddress: string
  /** The public address of this service, without a trailing slash: `http://localhost:8080`. */
  origin: string
  clock: Clock
  randomId(): string
  log: Logger
}

/** Every service is one handler, so the same code serves a port and runs in-process. */
export type Handler = (request: Request, context: Context) => Promise<Response>
