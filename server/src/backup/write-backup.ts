import type { GuardedClient } from 'backend/postgres/guarded-client.ts'
import { appliedMigrations } from 'backend/postgres/migrations.ts'
import { appliedPlatformFiles } from 'backend/postgres/platform.ts'
import type { ByteSink } from './archive/byte-sink.ts'
import { FORMAT, json, NAMES, type Header, type Manifest } from './archive/contents.ts'
import { createSealingSink } from './archive/seal.ts'
import { createTarWriter, type TarWriter } from './archive/tar-writer.ts'
import { writeTables } from './database/write-tables.ts'
import { fullName, type Table } from './database/list-tables.ts'
import { measureFiles, storedFiles } from './files/stored-files.ts'
import { writeFiles } from './files/write-files.ts'
import type { FileSource } from './files/file-source.ts'
import { PRODUCT_NAME, PRODUCT_VERSION } from '../project-files.ts'
import type { Progress } from './progress.ts'

/** What is backed up: an installation of our own, or a project on Supabase. */
export type BackupSource = {
  kind: Header['source']
  /** The snapshot that everything is read from; ended by the caller. */
  client: GuardedClient
  tables: Table[]
  /** Null leaves the files out. */
  files: FileSource | null
  /** The installation's, by name; a project keeps its own. */
  secrets: Map<string, Buffer>
}

export type BackupResult = { header: Header; manifest: Manifest; bytes: number }

/** Writes the whole archive to `sink`; what is above it makes it durable. */
export async function writeBackup(
  source: BackupSource,
  sink: ByteSink,
  passphrase: string | undefined,
  progress: Progress,
): Promise<BackupResult> {
  let bytes = 0
  const counted: ByteSink = {
    async write(chunk) {
      await sink.write(chunk)
      bytes += chunk.length
    },
  }
  const sealing = passphrase ? await createSealingSink(counted, passphrase) : null
  const header = await headerOf(source)
  const tar = createTarWriter(sealing ?? counted, new Date(header.createdAt))
  await tar.add(NAMES.header, json(header))
  for (const [name, content] of source.secrets) await tar.add(NAMES.secrets + name, content)
  const { tables } = await writeTables(tar, source.client, source.tables, (rows) =>
    progress.rows(rows),
  )
  const manifest: Manifest = {
    tables: tables.length,
    rows: tables.reduce((sum, { rows }) => sum + rows, 0),
    files: await writeAllFiles(tar, source, progress),
  }
  // Without its connection the snapshot no longer protected the files from being deleted.
  await source.client.query('select')
  await tar.add(NAMES.manifest, json(manifest))
  await tar.finish()
  await sealing?.finish()
  return { header, manifest, bytes }
}

async function headerOf({ kind, client, files, tables }: BackupSource): Promise<Header> {
  const { rows } = await client.query<{ postgres: string }>(
    `select current_setting('server_version') as postgres`,
  )
  const platform = await appliedPlatformFiles(client)
  return {
    format: FORMAT,
    product: PRODUCT_NAME,
    version: PRODUCT_VERSION,
    createdAt: new Date().toISOString(),
    postgres: rows[0]?.postgres ?? '',
    source: kind,
    platform: [...platform].map(([name, checksum]) => ({ name, checksum })),
    migrations: await appliedMigrations(client),
    tables: tables.map((table) => ({ name: fullName(table), columns: table.columns })),
    withFiles: files !== null,
  }
}

async function writeAllFiles(tar: TarWriter, { client, files }: BackupSource, progress: Progress) {
  if (!files) return writeFiles(tar, none(), { read: async () => null }, () => undefined)
  progress.files(await measureFiles(client))
  return writeFiles(tar, storedFiles(client), files, (size) => progress.file(size))
}

async function* none() {}
