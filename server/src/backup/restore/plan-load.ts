import { listMigrations, type Migration } from 'backend/postgres/migrations.ts'
import { listPlatformFiles, type PlatformFile } from 'backend/postgres/platform.ts'
import type { LoadPlan } from '../database/load.ts'
import type { Header } from '../archive/contents.ts'
import { BackupError } from '../archive/errors.ts'
import { laterVersion } from '../read-backup.ts'

export type SchemaFolders = { platform: string; migrations: string }

/**
 * The platform and the migrations that a backup's tables are of: this version's, as far as the backup's version had them.
 * @throws BackupError for a backup of a later version, or of one from before the first release
 */
export async function planLoad(
  header: Header,
  folders: SchemaFolders,
): Promise<{ platform: PlatformFile[]; migrations: Migration[] } & Pick<LoadPlan, 'moveTo'>> {
  const migrations = await listMigrations(folders.migrations)
  const known = new Set(migrations.map(({ version }) => version))
  const unknown = header.migrations.find((version) => !known.has(version))
  if (unknown) {
    const isOlder = unknown < (migrations[0]?.version ?? '')
    throw isOlder
      ? unreleased(header)
      : new BackupError(laterVersion(header.product, header.version))
  }
  const platform = await listPlatformFiles(folders.platform)
  const checksums = new Map(platform.map(({ name, checksum }) => [name, checksum]))
  for (const { name, checksum } of header.platform) {
    const ours = checksums.get(name)
    if (!ours) throw new BackupError(laterVersion(header.product, header.version))
    if (ours !== checksum) throw unreleased(header)
  }
  const wanted = new Set(header.platform.map(({ name }) => name))
  const versions = new Set(header.migrations)
  return {
    // A project has none of it, and any of it does.
    platform:
      header.source === 'project' ? platform : platform.filter(({ name }) => wanted.has(name)),
    migrations: migrations.filter(({ version }) => versions.has(version)),
    // The services of a project have other columns.
    ...(header.source === 'project' && { moveTo: (table: string) => table }),
  }
}

function unreleased({ product, version }: Header): BackupError {
  return new BackupError(
    `This backup was made by an unreleased version, ${product} ${version}, whose tables are not known here. Nothing was changed.`,
  )
}
