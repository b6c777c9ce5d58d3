// The heads of the chain, one a day, outside the database: `2026-11-22 31 5f3a…`, one line each.
import { appendFile, readFile } from 'node:fs/promises'

/** In the data folder. */
export const HEADS_FILE = 'archive-heads.txt'

export type NotedHead = {
  /** The day on which it was noted. */
  day: string
  seal: number
  hash: string
}

const LINE = /^(\d{4}-\d\d-\d\d) (\d+) ([0-9a-f]{64})$/

/** Adds the head unless one of its day is there. */
export async function noteHead(
  path: string,
  head: { seal: number; hash: string; sealed_at: string },
): Promise<void> {
  const day = new Date(head.sealed_at).toISOString().slice(0, 10)
  const last = (await readHeads(path)).at(-1)
  if (last && last.day >= day) return
  await appendFile(path, `${day} ${head.seal} ${head.hash}\n`, { mode: 0o600, flush: true })
}

/** The heads noted so far; none if there is no file. @throws for a line that is no head */
export async function readHeads(path: string): Promise<NotedHead[]> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [, day, seal, hash] = LINE.exec(line) ?? []
      if (!day || !hash) throw new Error(`${path} has a line that is no head: ${line.slice(0, 80)}`)
      return { day, seal: Number(seal), hash }
    })
}
