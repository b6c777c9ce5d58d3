// Tests start dozens of Postgres clusters, which wait for the disk more than for anything else. In memory a test of a whole
// installation takes half the time.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'
import { join } from 'node:path'

/** A file system in memory, on Linux. */
const MEMORY = '/dev/shm'
const PREFIX = 'app-tests-'
/** A whole run takes a quarter of it at its peak. */
const NEEDED_BYTES = 4 * 1024 ** 3

/**
 * Makes `os.tmpdir()` of this process and of those that it starts a folder in memory, which is removed at the end. Changes nothing
 * where TMPDIR is set, or where there is too little memory.
 */
export function keepTemporaryFilesInMemory() {
  if (process.env.TMPDIR || !hasRoom()) return
  removeLeftovers()
  const folder = join(MEMORY, `${PREFIX}${process.pid}`)
  mkdirSync(folder, { mode: 0o700, recursive: true })
  process.env.TMPDIR = folder
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
}

function hasRoom(): boolean {
  if (process.platform !== 'linux' || !existsSync(MEMORY)) return false
  const { bavail, bsize } = statfsSync(MEMORY)
  return Math.min(bavail * bsize, availableMemory()) >= NEEDED_BYTES
}

/** Also what the system would free for us, which Node 20 does not count. */
function availableMemory(): number {
  const kilobytes = /^MemAvailable: +(\d+)/m.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1]
  return kilobytes ? Number(kilobytes) * 1024 : freemem()
}

/** Of runs that were killed. */
function removeLeftovers() {
  for (const name of readdirSync(MEMORY)) {
    if (!name.startsWith(PREFIX) || existsSync(`/proc/${name.slice(PREFIX.length)}`)) continue
    rmSync(join(MEMORY, name), { recursive: true, force: true })
  }
}
