import { randomUUID } from 'node:crypto'
import { link, open, readFile, rename, rm } from 'node:fs/promises'
import * as v from 'valibot'

/** File systems without hard links, such as exFAT, fail with one of these. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'ENOSYS']

/**
 * The keys in a JSON file of readOrCreate().
 * @throws if the file is damaged
 */
export async function readOrCreateKeys<Keys>(
  path: string,
  schema: v.GenericSchema<unknown, Keys>,
  make: () => Promise<object>,
): Promise<Keys> {
  const text = await readOrCreate(path, async () => JSON.stringify(await make(), null, 2) + '\n')
  try {
    return v.parse(schema, JSON.parse(text))
  } catch (cause) {
    throw new Error(`${path} is damaged: restore it from a backup`, { cause })
  }
}

/**
 * The text of a file that is written once and readable only by its owner. Processes that start at the same time
 * all get the text that was written first. A crash leaves either no file or a complete one.
 */
export async function readOrCreate(path: string, make: () => Promise<string>): Promise<string> {
  const existing = await readFile(path, 'utf8').catch(ignore('ENOENT'))
  if (existing !== null) return existing
  const text = await make()
  const draft = `${path}.${randomUUID()}.draft`
  try {
    const file = await open(draft, 'wx', 0o600)
    await file.writeFile(text)
    await file.sync()
    await file.close()
    await link(draft, path).catch(async (error: NodeJS.ErrnoException) => {
      if (NO_LINKS.includes(error.code ?? '')) await rename(draft, path)
      else ignore('EEXIST')(error)
    })
  } finally {
    await rm(draft, { force: true })
  }
  return readFile(path, 'utf8')
}

function ignore(code: string) {
  return (error: NodeJS.ErrnoException) => {
    if (error.code === code) return null
    throw error
  }
}
