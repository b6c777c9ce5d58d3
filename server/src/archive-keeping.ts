// Keeps the archive while the server runs: seals, files, pruning once a day, and the head of the chain noted outside the
// database. On hosted Supabase the Edge Function `archive` does the same, but for the note.
import { join } from 'node:path'
import type { Logger } from 'pino'
import {
  archiveHead,
  keepArchive,
  pruneArchive,
  runAll,
  type KeepingDependencies,
} from 'supabase-project/functions/archive/keep-archive.ts'
import { HEADS_FILE, noteHead } from './archive/heads-file.ts'

const EVERY_MS = 60_000
const PRUNE_EVERY_MS = 24 * 60 * 60_000

type Dependencies = Omit<KeepingDependencies, 'signal'> & { dataDir: string; log: Logger }

/** Runs at once and then every minute until closed. */
export function startArchiveKeeping({ dataDir, log, ...dependencies }: Dependencies) {
  const stopping = new AbortController()
  const keeping = { ...dependencies, signal: stopping.signal }
  let prunedAt = 0
  let running: Promise<void> | null = null

  const work = () => runAll(async () => void (await keepArchive(keeping)), noteNewHead, prune)

  async function noteNewHead() {
    const head = await archiveHead(keeping)
    if (head) await noteHead(join(dataDir, HEADS_FILE), head)
  }

  async function prune() {
    if (Date.now() - prunedAt < PRUNE_EVERY_MS) return
    prunedAt = Date.now()
    const pruned = await pruneArchive(keeping)
    if (pruned > 0) log.warn({ pruned }, 'expired records of the archive were removed')
  }

  function run() {
    running ??= work()
      .catch((error: unknown) => {
        if (!stopping.signal.aborted)
          log.error({ err: error }, 'keeping the archive failed; retrying in a minute')
      })
      .finally(() => (running = null))
  }

  run()
  const timer = setInterval(run, EVERY_MS)
  timer.unref()
  return {
    async close() {
      stopping.abort()
      clearInterval(timer)
      await running
    },
  }
}
