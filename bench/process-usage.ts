// CPU and memory of a process and all its descendants from /proc: Postgres counts towards the server.
import { readdirSync, readFileSync } from 'node:fs'

const TICKS_PER_S = 100
const PAGE_KB = 4

type Stat = { pid: number; parent: number; cpuS: number; residentKb: number }

function readStat(pid: number): Stat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const number = (index: number) => Number(fields[index])
    // Fields as in proc(5), counted from `state`.
    return {
      pid,
      parent: number(1),
      cpuS: (number(11) + number(12) + number(13) + number(14)) / TICKS_PER_S,
      residentKb: number(21) * PAGE_KB,
    }
  } catch {
    return null
  }
}

/** CPU seconds used so far, and resident memory, of `roots` and, `withChildren`, everything below them. */
export function usageOf(
  roots: number[],
  withChildren = true,
): { cpuS: number; residentKb: number } {
  const mine = readTree(roots, withChildren)
  return {
    // `cutime` includes a child only after it is reaped, so nothing is counted twice.
    cpuS: mine.reduce((sum, { cpuS }) => sum + cpuS, 0),
    residentKb: mine.reduce((sum, { residentKb }) => sum + residentKb, 0),
  }
}

/** Memory of `root` and everything below it, pages that several share counted once. Takes milliseconds. */
export function proportionalKb(root: number): number {
  return readTree([root], true).reduce(
    (sum, { pid }) => sum + kilobytes(`/proc/${pid}/smaps_rollup`, 'Pss'),
    0,
  )
}

/** The most memory that this one process has had so far; 0 when it is gone. */
export const peakKb = (pid: number) => kilobytes(`/proc/${pid}/status`, 'VmHWM')

function readTree(roots: number[], withChildren: boolean): Stat[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readStat(Number(name)) ?? [])
  const wanted = new Set(roots)
  for (let grown = -1; withChildren && grown !== wanted.size;) {
    grown = wanted.size
    for (const { pid, parent } of all) if (wanted.has(parent)) wanted.add(pid)
  }
  return all.filter(({ pid }) => wanted.has(pid))
}

function kilobytes(path: string, field: string): number {
  try {
    const line = new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(readFileSync(path, 'utf8'))
    return Number(line?.[1] ?? 0)
  } catch {
    return 0
  }
}
