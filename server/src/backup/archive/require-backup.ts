import type { ByteSource } from './byte-sink.ts'
import { NAMES } from './contents.ts'
import { NoBackupError } from './errors.ts'
import { MAGIC } from './sealed-format.ts'

/** How a backup begins: with the line of a sealed one, or with the name of the first entry of its tar. */
const BEGINNINGS = [MAGIC, `${NAMES.header}\0`]
const LONGEST = Math.max(...BEGINNINGS.map((beginning) => beginning.length))

/** The same bytes. @throws NoBackupError if they begin like no backup, also like no cut off one */
export async function* requireBackup(source: ByteSource): AsyncGenerator<Buffer, void> {
  let unknown: Buffer | null = Buffer.alloc(0)
  for await (const chunk of source) {
    if (!unknown) {
      yield chunk
      continue
    }
    unknown = Buffer.concat([unknown, chunk])
    if (unknown.length < LONGEST) continue
    refuseOthers(unknown)
    yield unknown
    unknown = null
  }
  if (!unknown) return
  refuseOthers(unknown)
  yield unknown
}

function refuseOthers(start: Buffer) {
  const text = start.toString('latin1', 0, LONGEST)
  const isOne = BEGINNINGS.some((beginning) =>
    text.length < beginning.length ? beginning.startsWith(text) : text.startsWith(beginning),
  )
  if (text === '' || !isOne) throw new NoBackupError()
}
