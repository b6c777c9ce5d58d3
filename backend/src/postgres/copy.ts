// COPY, the way to read and write whole tables: rows in Postgres' text format, in either direction, in constant memory.
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import type pg from 'pg'

/** What `pg` hands to a query that handles its own messages. */
type Connection = {
  stream: Writable & { pause(): void; resume(): void }
  query(text: string): void
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(message: string): void
}

export type RowBlock = { bytes: Buffer; rows: number }

const MIN_GROWTH = 2

/**
 * Reads the rows of a `COPY … TO STDOUT` in blocks of about `blockBytes`, each a whole number of rows.
 * @param onRow is called with each row, which is valid during the call only
 */
export async function* copyOut(
  client: pg.Client,
  text: string,
  blockBytes: number,
  onRow: (row: Buffer) => void,
): AsyncGenerator<RowBlock> {
  const reader = new RowReader(text, blockBytes, onRow)
  client.query(reader as unknown as pg.Submittable)
  try {
    for (let block = await reader.next(); block; block = await reader.next()) yield block
  } finally {
    reader.discard()
  }
}

class RowReader {
  private connection: Connection | null = null
  private block: Buffer
  private filled = 0
  private rows = 0
  private full: RowBlock[] = []
  private state: 'reading' | 'done' | Error = 'reading'
  private isDiscarding = false
  private wake: () => void = () => undefined

  constructor(
    private readonly text: string,
    private readonly blockBytes: number,
    private readonly onRow: (row: Buffer) => void,
  ) {
    this.block = Buffer.allocUnsafe(blockBytes)
  }

  submit(connection: Connection) {
    this.connection = connection
    connection.query(this.text)
  }

  /** The next block; null after the last. @throws what Postgres refused the COPY with */
  async next(): Promise<RowBlock | null> {
    while (this.full.length === 0 && this.state === 'reading') {
      this.connection?.stream.resume()
      await new Promise<void>((resolve) => (this.wake = resolve))
    }
    const block = this.full.shift()
    if (block) return block
    if (this.state instanceof Error) throw this.state
    return null
  }

  /** Lets the rest of an abandoned COPY pass by, so that the connection can be used or closed. */
  discard() {
    this.isDiscarding = true
    this.full = []
    this.connection?.stream.resume()
  }

  handleCopyData({ chunk }: { chunk: Buffer }) {
    if (this.isDiscarding) return
    this.onRow(chunk)
    // Copied: the chunk is a view of a buffer that the parser uses again.
    if (this.filled + chunk.length > this.block.length) this.finishBlock()
    if (chunk.length > this.block.length) this.block = Buffer.allocUnsafe(chunk.length * MIN_GROWTH)
    chunk.copy(this.block, this.filled)
    this.filled += chunk.length
    this.rows++
  }

  private finishBlock() {
    if (this.rows === 0) return
    this.full.push({ bytes: this.block.subarray(0, this.filled), rows: this.rows })
    this.block = Buffer.allocUnsafe(this.blockBytes)
    this.filled = 0
    this.rows = 0
    this.connection?.stream.pause()
    this.wake()
  }

  handleCommandComplete() {
    this.finishBlock()
  }

  handleReadyForQuery() {
    if (this.state === 'reading') this.state = 'done'
    this.wake()
  }

  handleError(error: Error) {
    this.state = error
    this.connection?.stream.resume()
    this.wake()
  }

  handleRowDescription() {}
  handleEmptyQuery() {}
}

/** Sends rows to a `COPY … FROM STDIN`, as fast as Postgres takes them. @throws what Postgres refused them with */
export async function copyIn(
  client: pg.Client,
  text: string,
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
): Promise<void> {
  const writer = new RowWriter(text)
  client.query(writer as unknown as pg.Submittable)
  await writer.send(chunks)
}

class RowWriter {
  private connection: Connection | null = null
  private begin: () => void = () => undefined
  private finish: () => void = () => undefined
  private fail: (error: Error) => void = () => undefined
  private readonly ready = new Promise<void>((resolve) => (this.begin = resolve))
  private readonly finished = new Promise<void>((resolve, reject) => {
    this.finish = resolve
    this.fail = reject
  })

  constructor(private readonly text: string) {}

  submit(connection: Connection) {
    this.connection = connection
    connection.query(this.text)
  }

  async send(chunks: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<void> {
    await Promise.race([this.ready, this.finished])
    const { connection } = this
    if (!connection) return this.finished
    let refused = false
    this.finished.catch(() => (refused = true))
    try {
      for await (const chunk of chunks) {
        if (refused) break
        connection.sendCopyFromChunk(chunk)
        // A refusal must not leave this waiting for a connection that takes nothing more.
        if (connection.stream.writableNeedDrain)
          await Promise.race([once(connection.stream, 'drain'), this.finished])
      }
    } catch (error) {
      if (!refused) connection.sendCopyFail('the sender gave up')
      await this.finished.catch(() => undefined)
      throw error
    }
    if (!refused) connection.endCopyFrom()
    await this.finished
  }

  handleCopyInResponse() {
    this.begin()
  }

  handleReadyForQuery() {
    this.finish()
  }

  handleError(error: Error) {
    this.fail(error)
  }

  handleCommandComplete() {}
  handleRowDescription() {}
  handleEmptyQuery() {}
}
