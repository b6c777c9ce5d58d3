import { PRODUCT_NAME } from '../../project-files.ts'

/** The message is a whole sentence for the operator, who needs no stack. */
export class BackupError extends Error {}

/** A store of files does not respond, or says that it is busy: what is in it is unknown. */
export class StoreAwayError extends BackupError {
  /** @param what a sentence */
  constructor(
    readonly what: string,
    options?: ErrorOptions,
  ) {
    super(`${what} Run the same command again when it is back.`, options)
  }
}

/** What was read is something else. */
export class NoBackupError extends BackupError {
  /** @param what its path, where it is known */
  constructor(what = 'This file') {
    super(`${what} is no backup of ${PRODUCT_NAME}.`)
  }
}

/** The archive is not what was written. */
export class ArchiveDamagedError extends BackupError {
  constructor(what: string) {
    super(`This backup is damaged: ${what}. Nothing of it can be trusted; use another one.`)
  }
}

/** Data that does not fit, constraints, and what functions raise: Postgres' messages of these classes quote values. */
const QUOTES_VALUES = /^(22|23|P0)/

/** What Postgres refused, without values of the row; null for any other error. */
export function withoutRows(error: unknown): string | null {
  const { code, table, constraint } = error as {
    code?: string
    table?: string
    constraint?: string
  }
  if (!code || !QUOTES_VALUES.test(code)) return null
  return `Postgres refused a row${table ? ` of ${table}` : ''} (${[code, constraint].filter(Boolean).join(', ')})`
}
