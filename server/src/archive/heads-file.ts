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

/** Adds the head unless the last one is of its day. */
export async function noteHead(
  path: string,
  head: { seal: number; hash: string; sealed_at: string },
): Promise<void> {
  const day = new Date(head.sealed_at).toISOString().slice(0, 10)
  const text = await readText(path)
  if (headsIn(text).heads.at(-1)?.day === day) return
  const line = `${day} ${head.seal} ${head.hash}\n`
  const isCutOff = text !== '' && !text.endsWith('\n')
  await appendFile(path, isCutOff ? `\n${line}` : line, { mode: 0o600, flush: true })
}

/** The heads noted so far, and how many lines are none: a crash may cut one off. Nothing if there is no file. */
export async function readHeads(path: string): Promise<{ heads: NotedHead[]; broken: number }> {
  return headsIn(await readText(path))
}

function headsIn(text: string) {
  const lines = text.split(/\r?\n/).filter(Boolean)
  const heads = lines.flatMap((line) => {
    const [, day, seal, hash] = LINE.exec(line) ?? []
    return day && hash ? [{ day, seal: Number(seal), hash }] : []
  })
  return { heads, broken: lines.length - heads.length }
}

async function readText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
}
