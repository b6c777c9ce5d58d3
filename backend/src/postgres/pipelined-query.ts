// The caller's settings and statement, sent together with a single Sync. Postgres runs everything up to a Sync as one
// implicit transaction, so no BEGIN and COMMIT are needed, and it responds with one write. Measured on two cores: 20 %
// more requests than four pipelined statements. Results are strings; nothing is converted.
import pg from 'pg'
import type { PreparedTexts } from './prepared-texts.ts'
import type { Statement } from './statement.ts'

export type TextRow = (string | null)[]

/** The part of pg's internal connection that is used here. */
type Wire = {
  stream: { cork(): void; uncork(): void; destroy(error: Error): void }
  parse(message: { text: string; name: string }): void
  bind(message: {
    statement: string
    values: unknown[]
    valueMapper: (value: unknown) => unknown
  }): void
  execute(message: object): void
  close(message: { type: 'S'; name: string }): void
  sync(): void
}

const unchanged = (value: unknown) => value

/** Extends pg.Query because pg's pipeline accepts nothing else; all messages are handled here. */
class PipelinedQuery extends pg.Query {
  private readonly settings: Statement
  private readonly statement: Statement
  private readonly prepared: PreparedTexts
  private readonly caller: string
  private readonly received: TextRow[] = []
  private readonly newlyPrepared: string[] = []
  private finished = 0
  private readonly done: (error: Error | null, rows: TextRow[]) => void

  constructor(
    settings: Statement,
    statement: Statement,
    prepared: PreparedTexts,
    caller: string,
    done: (error: Error | null, rows: TextRow[]) => void,
  ) {
    super('')
    this.settings = settings
    this.statement = statement
    this.prepared = prepared
    this.caller = caller
    this.done = done
  }

  override submit = (connection: unknown): void => {
    const wire = connection as Wire
    wire.stream.cork()
    try {
      this.send(wire, this.settings, null)
      this.send(wire, this.statement, this.caller)
      wire.sync()
      wire.stream.uncork()
    } catch (error) {
      // An incomplete group must never be followed by a Sync: Postgres would commit it, and later responses would go
      // to the wrong requests. Nothing has left the corked stream yet.
      wire.stream.destroy(error as Error)
      throw error
    }
  }

  private send(wire: Wire, statement: Statement, caller: string | null) {
    const { text, values = [] } = statement
    const name = statement.name === undefined ? '' : this.prepare(wire, text, caller)
    if (name === '') wire.parse({ text, name })
    wire.bind({ statement: name, values: [...values], valueMapper: unchanged })
    wire.execute({})
  }

  /** @returns the name of the prepared statement; '' when the caller may prepare no more */
  private prepare(wire: Wire, text: string, caller: string | null): string {
    const known = this.prepared.get(text)
    if (known && !known.isUncertain) return known.name
    const prepared = known ?? this.prepared.add(text, caller)
    if (!prepared) return ''
    const { name } = prepared
    if (known) wire.close({ type: 'S', name })
    wire.parse({ text, name })
    prepared.isUncertain = false
    this.newlyPrepared.push(text)
    return name
  }

  handleRowDescription() {}

  handleDataRow({ fields }: { fields: TextRow }) {
    // Ignores the row of the settings statement.
    if (this.finished > 0) this.received.push(fields)
  }

  handleCommandComplete() {
    this.finished++
  }

  handleEmptyQuery() {}

  handleError(error: Error) {
    for (const text of this.newlyPrepared) {
      const known = this.prepared.get(text)
      if (known) known.isUncertain = true
    }
    this.done(error, [])
  }

  handleReadyForQuery() {
    this.done(null, this.received)
  }
}

/** Resolves once the transaction is committed. @param caller whose share of the prepared statements it takes */
export function sendPipelinedQuery(
  client: pg.Client,
  prepared: PreparedTexts,
  settings: Statement,
  statement: Statement,
  caller: string,
): Promise<TextRow[]> {
  return new Promise((resolve, reject) => {
    client.query(
      new PipelinedQuery(settings, statement, prepared, caller, (error, rows) => {
        if (error) reject(error)
        else resolve(rows)
      }),
    )
  })
}
