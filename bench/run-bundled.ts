// Measures the bundled file, as shipped: compiled on the fly it would be a tenth slower.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'

const SCRIPT = join(import.meta.dirname, '../scripts/bundle.mjs')

/**
 * Starts a server of bench/ that prints one line of JSON once it is ready.
 * @param before a command prefix, e.g. `taskset -c 0`
 */
export async function runBundled<Ready>(
  file: string,
  args: string[],
  before: string[] = [],
): Promise<{ child: ChildProcess; ready: Ready }> {
  const outfile = join(import.meta.dirname, 'dist', `${basename(file, '.ts')}.js`)
  const made = spawnSync(process.execPath, [SCRIPT, join(import.meta.dirname, file), outfile], {
    stdio: 'inherit',
  })
  if (made.status !== 0) throw new Error(`${file} could not be bundled`)
  const [command = process.execPath, ...rest] = [...before, process.execPath, outfile, ...args]
  const child = spawn(command, rest, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  return { child, ready: JSON.parse(line) as Ready }
}
