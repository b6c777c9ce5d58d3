// Postgres refuses to run as root. When this process is root, the cluster runs as `postgres` or `nobody`.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

const CANDIDATES = ['postgres', 'nobody']
const SETPRIV_PATHS = ['/usr/bin/setpriv', '/bin/setpriv']

export type RunAsUser = {
  uid: number
  gid: number
  /** Wraps a command so that it runs as this user. */
  wrap(command: string, args: string[]): { command: string; args: string[] }
}

/**
 * The user to run Postgres as, or null if this process is not root and can run it itself.
 * @param paths the binaries and the data directory, which this user must be able to access
 * @throws if there is no such user, setpriv is missing, or the paths are not accessible
 */
export function unprivilegedUser(paths: string[]): RunAsUser | null {
  if (process.getuid?.() !== 0) return null
  const account = findAccount()
  const setpriv = SETPRIV_PATHS.find((path) => existsSync(path))
  if (!setpriv) {
    throw new Error(
      'Postgres cannot run as root, and setpriv (util-linux) is missing to change user',
    )
  }
  const identity = [`--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups']
  // A clone under /root is not accessible to others: keep only the capability to traverse such folders. initdb looks
  // for its programs with access(2), which drops the capabilities of everybody but root unless a securebit says otherwise.
  const reach = paths.every(isOpenToOthers)
    ? []
    : ['--securebits=+no_setuid_fixup', '--inh-caps=+dac_override', '--ambient-caps=+dac_override']
  if (reach.length && spawnSync(setpriv, [...identity, ...reach, 'true']).status !== 0) {
    throw new Error(
      `Postgres cannot run as root, and ${account.name} cannot read ${paths.join(' or ')}: move them to a folder that everybody may enter`,
    )
  }
  return {
    uid: account.uid,
    gid: account.gid,
    wrap: (command, args) => ({
      command: setpriv,
      args: [...identity, ...reach, command, ...args],
    }),
  }
}

function findAccount(): { name: string; uid: number; gid: number } {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  for (const name of CANDIDATES) {
    const fields = lines.find((line) => line.startsWith(`${name}:`))?.split(':')
    if (fields) return { name, uid: Number(fields[2]), gid: Number(fields[3]) }
  }
  throw new Error(
    'Postgres cannot run as root, and there is no user postgres or nobody to run it as',
  )
}

function isOpenToOthers(path: string): boolean {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (existsSync(folder) && (statSync(folder).mode & 0o001) === 0) return false
    if (folder === dirname(folder)) return true
  }
}
