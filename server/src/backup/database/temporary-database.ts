import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedCluster } from 'backend/postgres/embedded-cluster.ts'
import type { GuardedClient } from 'backend/postgres/guarded-client.ts'
import { cannotWrite } from '../places/cannot-write.ts'
import { connect } from './snapshot.ts'

/** An empty Postgres among the temporary files. */
export type TemporaryDatabase = {
  folder: string
  client: GuardedClient
  /** Stops and removes it. */
  close(): Promise<void>
}

/**
 * @param signal closes its connection
 * @throws BackupError if there can be no temporary files
 */
export async function openTemporaryDatabase(signal?: AbortSignal): Promise<TemporaryDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'backup-verify-')).catch(
    (cause: NodeJS.ErrnoException) => {
      throw cannotWrite(tmpdir(), cause)
    },
  )
  const remove = () => rm(folder, { recursive: true, force: true })
  const password = randomBytes(24).toString('base64url')
  try {
    const cluster = await startEmbeddedCluster({ dataDir: folder, password, durable: false })
    try {
      const client = await connect(cluster.url, signal)
      const close = async () => {
        await client.end().catch(() => undefined)
        await cluster.stop()
        await remove()
      }
      return { folder, client, close }
    } catch (error) {
      await cluster.stop()
      throw error
    }
  } catch (error) {
    await remove()
    throw error
  }
}
