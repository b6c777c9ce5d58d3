// Precompresses the built files at maximum level, so that serving them costs no CPU.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const DIST = fileURLToPath(new URL('../dist', import.meta.url))
const COMPRESSIBLE = /\.(js|css|html|svg|json|webmanifest|txt)$/
/** Below this, the headers of a compressed response cost more than it saves. */
const SMALLEST_BYTES = 1024

const files = await readdir(DIST, { recursive: true })
await Promise.all(files.filter((name) => COMPRESSIBLE.test(name)).map(compress))

async function compress(name: string) {
  const path = join(DIST, name)
  const content = await readFile(path)
  if (content.length < SMALLEST_BYTES) return
  const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
  await writeFile(`${path}.br`, await promisify(brotliCompress)(content, { params: quality }))
  await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: 9 }))
}
