// Where backups are kept: a folder or a bucket. Both know the same few things.
import type { ByteSink, ByteSource } from '../archive/byte-sink.ts'

export type NewBackup = ByteSink & {
  /** Makes what was written the backup of this name: complete and durable, or not there at all. */
  finish(): Promise<void>
  /** Removes what was written. */
  discard(): Promise<void>
}

export type Place = {
  /** For messages. */
  description: string
  /** The full name of a backup, as a person would pass it to a restore. */
  addressOf(name: string): string
  create(name: string): Promise<NewBackup>
  open(name: string): ByteSource
  /** Names of the complete backups, oldest first. */
  list(): Promise<string[]>
  remove(name: string): Promise<void>
}

const NAME = /^backup-\d{8}T\d{6}Z-([0-9a-f]{8})\.tar(\.sealed)?$/

/**
 * `backup-20261122T031500Z-7f3a91c2.tar`, which sorts by time.
 * @param installation eight hexadecimal digits: several may keep their backups in one place
 */
export function backupName(at: Date, installation: string, isSealed: boolean): string {
  const time = at.toISOString().replace(/[-:]|\.\d+/g, '')
  return `backup-${time}-${installation}.tar${isSealed ? '.sealed' : ''}`
}

/** Whether both are backups of one installation. */
export const isOfSameInstallation = (one: string, other: string) =>
  NAME.exec(one)?.[1] === NAME.exec(other)?.[1]

/** Anything else in the place is none of our business. */
export const isBackupName = (name: string) => NAME.test(name)
