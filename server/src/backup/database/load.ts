// Loads the rows of an archive into an empty database, with the tables as the archive's version had them, in one transaction.
import type { GuardedClient } from 'backend/postgres/guarded-client.ts'
import { copyIn } from 'backend/postgres/copy.ts'
import { applyMigrationFiles, type Migration } from 'backend/postgres/migrations.ts'
import { applyPlatformFiles, type PlatformFile } from 'backend/postgres/platform.ts'
import type { Header, Tables } from '../archive/contents.ts'
import { ArchiveDamagedError, BackupError } from '../archive/errors.ts'
import { MOVED_TABLES, OBJECTS } from '../project/moved-tables.ts'
import { fullName, isOfProduct, listTables, type Table } from './list-tables.ts'
import { openMappedTable, type MappedTable } from './map-rows.ts'
import { movePictures } from './move-pictures.ts'
import { parkTables } from './park-tables.ts'
import { createRowDigest, type RowDigest } from './row-digest.ts'

export type LoadPlan = {
  header: Header
  /** Null in a project, which has its own. */
  platform: PlatformFile[] | null
  migrations: Migration[]
  /**
   * In a move between an installation and a project: where rows of a service's table go, by the columns that both have; null
   * leaves them out. Only MOVED_TABLES may go anywhere. Without it, every table is as the backup had it.
   */
  moveTo?(table: string): string | null
  /** Where public files are served from now on: pictures of content are stored with their whole address. */
  publicUrl?: string | undefined
}

export type Load = {
  /** @returns how many there were */
  rows(table: string, rows: Buffer): Promise<number>
  /** Compares what was loaded with what there should be, and puts the tables into operation. Does not commit. */
  finish(tables: Tables): Promise<void>
}

const CHUNK_BYTES = 256 * 1024
const NEWLINE = 0x0a

/** Begins the transaction; the caller commits it, or closes the connection. */
export async function beginLoad(client: GuardedClient, plan: LoadPlan): Promise<Load> {
  const { header, platform, migrations, moveTo } = plan
  const columns = new Map(header.tables.map((table) => [table.name, table.columns]))
  const digests = new Map<string, RowDigest>()
  const mapped = new Map<string, MappedTable>()
  const isMapped = (table: Pick<Table, 'schema'>) => moveTo !== undefined && !isOfProduct(table)
  const isTaken = (name: string) => !moveTo || isOfProduct(tableOf(name)) || moveTo(name) !== null
  let parked: { restore(): Promise<void> } | null = null
  refuseForeign()

  // Rows of Postgres' own tables would be programs.
  function refuseForeign() {
    for (const { name } of header.tables)
      if (moveTo && !isOfProduct(tableOf(name)) && moveTo(name) && !MOVED_TABLES.includes(name))
        throw unknownTable(`a table ${name}`)
  }

  async function park(which: (table: Table) => boolean) {
    await applyMigrationFiles(client, migrations)
    const tables = (await listTables(client)).filter(
      // What refers to a table that is emptied has to be emptied with it.
      (table) => columns.has(fullName(table)) || isMapped(table),
    )
    refuseUnknown(header, tables, (table) => which(table) && !isMapped(table))
    parked = await parkTables(client, tables.filter(which))
  }

  await client.query('begin')
  if (platform) {
    await applyPlatformFiles(client, platform)
    await park(() => true)
  }

  async function mappedTable(table: Table): Promise<MappedTable> {
    const name = fullName(table)
    const known = mapped.get(name)
    if (known) return known
    const opened = await openMappedTable(client, table, tableOf(moveTo?.(name) ?? name))
    mapped.set(name, opened)
    return opened
  }

  return {
    async rows(name, rows) {
      const wanted = columns.get(name)
      if (!wanted) throw new ArchiveDamagedError(`it has rows of an unknown table ${name}`)
      if (!isTaken(name)) return 0
      const table = { ...tableOf(name), columns: wanted }
      // In a project we may not switch off the product's triggers on the services' tables. So they are made after those tables
      // were loaded, which come first in the archive.
      if (!parked && isOfProduct(table)) await park(isOfProduct)
      const digest = digests.get(name) ?? createRowDigest()
      digests.set(name, digest)
      const before = digest.rows()
      addRows(digest, rows)
      if (isMapped(table)) await (await mappedTable(table)).load(cut(rows))
      else await copyIn(client, copyInto(client, table), cut(rows))
      return digest.rows() - before
    },
    async finish({ tables, sequences }) {
      if (!parked) await park(isOfProduct)
      for (const { name, rows, digest } of tables) {
        if (!isTaken(name)) continue
        const loaded = digests.get(name) ?? createRowDigest()
        if (loaded.rows() !== rows || loaded.value() !== digest)
          throw new ArchiveDamagedError(`rows of ${name} are missing`)
      }
      for (const { name, last, isCalled } of sequences) {
        if (isMapped(tableOf(name))) continue
        await client.query(
          `select setval(s.oid, $2, $3) from pg_class s
           where s.oid = to_regclass($1) and has_sequence_privilege(s.oid, 'update')`,
          [name, last, isCalled],
        )
      }
      if (plan.publicUrl) await movePictures(client, plan.publicUrl, moveTo?.(OBJECTS) ?? OBJECTS)
      await parked?.restore()
    },
  }
}

function tableOf(fullName: string): { schema: string; name: string } {
  const dot = fullName.indexOf('.')
  return { schema: fullName.slice(0, dot), name: fullName.slice(dot + 1) }
}

// The versions are known, so this is a database that somebody changed by hand, or one from before the first release.
function refuseUnknown(header: Header, found: Table[], concerns: (table: Table) => boolean) {
  const here = new Map(found.map((table) => [fullName(table), table.columns]))
  for (const { name, columns } of header.tables) {
    if (!concerns({ ...tableOf(name), columns })) continue
    const known = here.get(name)
    const missing = known && columns.find((column) => !known.includes(column))
    if (known && !missing) continue
    throw unknownTable(missing ? `a column ${missing} of ${name}` : `a table ${name}`)
  }
}

const unknownTable = (what: string) =>
  new BackupError(
    `This backup has ${what}, which is not known here. It cannot be restored. Nothing was changed.`,
  )

function copyInto(client: GuardedClient, { schema, name, columns }: Table): string {
  const quote = (text: string) => client.escapeIdentifier(text)
  return `copy ${quote(schema)}.${quote(name)} (${columns.map(quote).join(', ')}) from stdin`
}

function addRows(digest: RowDigest, rows: Buffer) {
  for (let start = 0; start < rows.length;) {
    const end = rows.indexOf(NEWLINE, start) + 1 || rows.length
    digest.add(rows.subarray(start, end))
    start = end
  }
}

function* cut(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES)
}
