import { createHash, type Hash } from 'node:crypto'
import { fileLine, LISTED_FILES, NAMES, type Manifest } from '../archive/contents.ts'
import type { TarWriter } from '../archive/tar-writer.ts'
import { openFiles, type FileSource } from './file-source.ts'
import type { StoredFile } from './stored-files.ts'

/** Writes the files and their list. A file that is not there, or not whole, is recorded as missing; any other failure ends the backup. */
export async function writeFiles(
  tar: TarWriter,
  files: AsyncIterable<StoredFile>,
  source: FileSource,
  onFile: (bytes: number) => void,
): Promise<Manifest['files']> {
  const all = createHash('sha256')
  const missing: string[] = []
  let count = 0
  let bytes = 0
  let lines = ''
  let part = 0

  async function writeList() {
    if (lines === '') return
    all.update(lines)
    await tar.add(`${NAMES.fileList}${String(++part).padStart(6, '0')}.jsonl`, Buffer.from(lines))
    lines = ''
  }

  for await (const { file, size, body } of openFiles(files, source)) {
    const { version } = file
    if (!body) {
      missing.push(version)
      continue
    }
    const hash = createHash('sha256')
    const came = await tar.addStream(NAMES.files + version, size, hashed(body, hash))
    if (came < size) {
      // Its entry was filled up, and is not in the list: it will be left out.
      missing.push(version)
      continue
    }
    lines += fileLine({ version, size, sha256: hash.digest('hex') })
    count++
    bytes += size
    onFile(size)
    if (count % LISTED_FILES === 0) await writeList()
  }
  await writeList()
  return { count, bytes, sha256: all.digest('hex'), missing }
}

async function* hashed(body: AsyncIterable<Uint8Array>, hash: Hash): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    hash.update(chunk)
    yield chunk
  }
}
