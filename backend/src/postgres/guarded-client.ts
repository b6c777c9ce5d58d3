// The client for every connection to Postgres. In plain pg, an exception in the data handler or an 'error' event
// without a listener ends the process, and messages of any size are buffered. Here each of these ends only the
// connection: its requests fail, and the next request opens a new one.
import type { Duplex } from 'node:stream'
import pg from 'pg'
import { ResponseTooLargeError, DatabaseBusyError } from './errors.ts'
import { LIMITS } from './limits.ts'

type Connection = { attachListeners(stream: Duplex): void }

export class GuardedClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super({ connectionTimeoutMillis: LIMITS.connectMs, keepAlive: true, ...config })
    // A pool removes its own listener while a client is checked out.
    this.on('error', () => undefined)
    const { connection } = this as unknown as { connection: Connection }
    const attach = connection.attachListeners.bind(connection)
    connection.attachListeners = (stream) => {
      attach(stream)
      guardData(stream)
    }
  }
}

function guardData(stream: Duplex) {
  const measure = createResponseMeter(LIMITS.responseBytes)
  for (const handler of stream.listeners('data') as ((chunk: Buffer) => void)[]) {
    stream.off('data', handler)
    stream.on('data', (chunk: Buffer) => {
      try {
        measure(chunk)
        handler(chunk)
      } catch (error) {
        stream.destroy(error instanceof Error ? error : new Error(String(error)))
      }
    })
  }
}

const HEADER_BYTES = 5
const DATA_ROW = 0x44
const READY_FOR_QUERY = 0x5a

/**
 * Tracks the messages of a connection by the lengths they announce.
 * @returns a function to call with each chunk; throws as soon as a message, or the rows of one response, exceed `maxBytes`
 */
export function createResponseMeter(maxBytes: number): (chunk: Buffer) => void {
  const header = Buffer.alloc(HEADER_BYTES)
  let headerFilled = 0
  let bodyLeft = 0
  let rowBytes = 0

  function begin(type: number, length: number) {
    if (type === READY_FOR_QUERY) rowBytes = 0
    else if (type === DATA_ROW) rowBytes += length
    if (length > maxBytes || rowBytes > maxBytes) {
      throw new ResponseTooLargeError(`The database response is larger than ${maxBytes} bytes`)
    }
    // The length field includes itself.
    bodyLeft = length - 4
  }

  return (chunk) => {
    let at = 0
    while (at < chunk.length) {
      if (bodyLeft > 0) {
        const step = Math.min(bodyLeft, chunk.length - at)
        bodyLeft -= step
        at += step
      } else if (headerFilled === 0 && chunk.length - at >= HEADER_BYTES) {
        begin(chunk[at] ?? 0, chunk.readUInt32BE(at + 1))
        at += HEADER_BYTES
      } else {
        header[headerFilled++] = chunk[at++] ?? 0
        if (headerFilled < HEADER_BYTES) continue
        headerFilled = 0
        begin(header[0] ?? 0, header.readUInt32BE(1))
      }
    }
  }
}

/** A pool that survives lost connections and bounds the wait for a client. */
export function createPool(config: pg.PoolConfig, onError: (error: unknown) => void): pg.Pool {
  const pool = new pg.Pool({
    connectionTimeoutMillis: LIMITS.waitMs,
    Client: GuardedClient as unknown as NonNullable<pg.PoolConfig['Client']>,
    ...config,
  })
  pool.on('error', onError)
  return pool
}

/** @throws DatabaseBusyError if too many requests are already waiting */
export async function checkOut(pool: pg.Pool): Promise<pg.PoolClient> {
  if (pool.waitingCount >= LIMITS.waitingRequests) {
    throw new DatabaseBusyError('too many requests are waiting for a connection')
  }
  return pool.connect()
}
