// Reads postmaster.pid, which a running Postgres keeps in its data folder.
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'

export type PidFile = { pid: number; port: number; socketFolder: string | null }

/** Null if Postgres was stopped cleanly or never started. */
export async function readPidFile(folder: string): Promise<PidFile | null> {
  const text = await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '')
  const [pid, , , port, socketFolder] = text.split('\n')
  return pid ? { pid: Number(pid), port: Number(port), socketFolder: socketFolder || null } : null
}

// After a reboot the recorded pid may belong to another program, and Postgres would refuse to start.
export async function clearStalePid(folder: string): Promise<void> {
  const recorded = await readPidFile(folder)
  if (!recorded) return
  const command = await readFile(`/proc/${recorded.pid}/cmdline`, 'utf8').catch(() => null)
  if (command === null || command.includes('postgres')) return
  await rm(join(folder, 'postmaster.pid'), { force: true })
  await rm(join(folder, `.s.PGSQL.${recorded.port}.lock`), { force: true })
}
