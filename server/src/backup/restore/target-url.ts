import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { BackupError } from '../archive/errors.ts'

/** `sslmode`s with which nothing is sent in plain text. */
const ENCRYPTED = ['require', 'verify-ca', 'verify-full']
const LOCAL = /^(localhost|127(\.\d{1,3}){3}|\[::1\]|::1)$/i

/**
 * The database that `--to` names: a URL or, with `-`, the first line of `input`, which no list of processes shows.
 * @throws BackupError if it is no database, or one elsewhere that would be reached without encryption
 */
export async function readTargetUrl(given: string, input: Readable): Promise<string> {
  const text = given === '-' ? await firstLine(input) : given
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^postgres(ql)?:$/.test(url.protocol))
    throw new BackupError(
      '--to takes the URL of a Postgres database, such as postgres://user:password@host:5432/name?sslmode=verify-full, or - to read it from standard input.',
    )
  const host = plainTextHost(url)
  if (host)
    throw new BackupError(
      `The database at ${host} is on another machine, and the URL does not ask for encryption: its password and every row could be ` +
        'read on the way. Add ?sslmode=verify-full to it (or verify-ca, or require). Nothing was changed.',
    )
  return text
}

/** The other machine that this URL leads to without asking for encryption. */
export function plainTextHost(url: URL): string | null {
  const host = lastOf(url, 'host') ?? decodeURIComponent(url.hostname)
  const isEncrypted = ENCRYPTED.includes(lastOf(url, 'sslmode') ?? '')
  return isHere(host) || isEncrypted ? null : host
}

/** Without a host, and with a folder for one, it is a socket of this machine. */
const isHere = (host: string) => host === '' || host.startsWith('/') || LOCAL.test(host)

const lastOf = (url: URL, name: string) => url.searchParams.getAll(name).at(-1)

async function firstLine(input: Readable): Promise<string> {
  const lines = createInterface({ input })
  try {
    for await (const line of lines) return line.trim()
    return ''
  } finally {
    lines.close()
  }
}
