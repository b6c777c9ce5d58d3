// Authorizes access to the built-in mailbox, whose links open accounts: in the demo for local browsers, otherwise for the
// holder of the one-time secret and the product's admins.
import { createHash, randomBytes } from 'node:crypto'
import { authErrors } from '#auth/errors.ts'
import type { RateLimits } from '#auth/flows/rate-limits.ts'
import { LIMITS } from '#auth/limits.ts'
import { recentMethods } from '#auth/sessions/recent-proof.ts'
import { isLiveSession } from '#auth/sessions/require-user.ts'
import type { Caller } from '#http/caller.ts'
import { addressGroup } from '#http/client-address.ts'
import type { Context } from '#http/context.ts'
import type { ServiceDatabase } from '#postgres/database.ts'
import type { MailboxSettings } from './mailbox-secret.ts'

export type MailboxAccess = {
  /** `locked` can be unlocked with the secret; `never` cannot. */
  check(request: Request, context: Context): Promise<'open' | 'locked' | 'never'>
  /**
   * The cookie for the correct secret or an authorized member, else null.
   * @throws over_request_rate_limit; reauthentication_needed for a member whose sign-in is too long ago
   */
  open(secret: string, context: Context): Promise<string | null>
}

type Parts = { database: ServiceDatabase; limits: RateLimits; siteUrl: string }

export function createMailboxAccess(settings: MailboxSettings, parts: Parts): MailboxAccess {
  return settings.opensTo === 'this-machine'
    ? openToThisMachine([Number(portOf(parts.siteUrl)), ...(settings.ports ?? [])])
    : openToSecret(settings, parts)
}

function openToThisMachine(ports: readonly number[]): MailboxAccess {
  return {
    check: (request, { clientAddress }) =>
      Promise.resolve(isFromThisMachine(request, clientAddress, ports) ? 'open' : 'never'),
    open: () => Promise.resolve(null),
  }
}

function openToSecret(
  { secret, mayRead }: Extract<MailboxSettings, { opensTo: 'secret' }>,
  { database, limits, siteUrl }: Parts,
): MailboxAccess {
  type Reader = { expiresAt: number; member: Caller | null }
  const readers = new Map<string, Reader>()

  async function isStillReader(member: Caller, now: Date): Promise<boolean> {
    const query = (statement: Parameters<typeof database.query>[0]) => database.query(statement)
    return (await isLiveSession(query, member.claims, now)) && (await mayRead(member))
  }

  function letIn(member: Caller | null, now: number): string {
    const token = randomBytes(32).toString('base64url')
    const lastsMs = member ? LIMITS.recentProofMs : LIMITS.mailboxSessionMs
    readers.set(hashOf(token), { expiresAt: now + lastsMs, member })
    for (const old of [...readers.keys()].slice(0, -LIMITS.mailboxSessions)) readers.delete(old)
    const secure = siteUrl.startsWith('https:') ? '; Secure' : ''
    return `${COOKIE}=${token}; Path=/_mail; Max-Age=${lastsMs / 1000}; HttpOnly; SameSite=Strict${secure}`
  }

  return {
    async check(request, { clock }) {
      const key = hashOf(cookieOf(request))
      const reader = readers.get(key)
      const isOpen =
        reader !== undefined &&
        reader.expiresAt > clock.now() &&
        (reader.member === null || (await isStillReader(reader.member, new Date(clock.now()))))
      if (isOpen) return 'open'
      readers.delete(key)
      return 'locked'
    },
    async open(given, { caller, clock, clientAddress }) {
      const wait = await limits.use('mailboxSecret', addressGroup(clientAddress))
      if (wait > 0) throw authErrors.tooManyRequests(wait)
      if (given !== '') return (await secret.redeem(given)) ? letIn(null, clock.now()) : null
      const now = new Date(clock.now())
      if (!(await isStillReader(caller, now))) return null
      // A reader of the mails can take over every account: that would outlast a stolen token.
      if (recentMethods({ caller, now }).length === 0) throw authErrors.recentProofRequired(428)
      return letIn(caller, clock.now())
    },
  }
}

const COOKIE = 'mailbox'

function cookieOf(request: Request): string {
  return /(?:^|;\s*)mailbox=([\w-]{43})(?:;|$)/.exec(request.headers.get('cookie') ?? '')?.[1] ?? ''
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/** Headers that reveal a proxy or tunnel. */
const PROXY_HEADER =
  /^(x-forwarded-.*|forwarded|via|x-real-ip|x-client-ip|true-client-ip|cf-connecting-ip)$/i

// A loopback address alone is not enough: requests through a local proxy or tunnel, from another site open in the local
// browser, and through DNS rebinding have one too.
function isFromThisMachine(
  request: Request,
  clientAddress: string,
  ports: readonly number[],
): boolean {
  const { headers } = request
  if (!isLoopback(clientAddress)) return false
  if ([...headers.keys()].some((name) => PROXY_HEADER.test(name))) return false
  const host = headers.get('host') ?? ''
  if (!URL.canParse(`http://${host}`)) return false
  const { hostname } = new URL(`http://${host}`)
  if (!isLoopback(hostname.replace(/^\[(.*)\]$/, '$1'))) return false
  if (!ports.includes(Number(portOf(`http://${host}`)))) return false
  const origin = headers.get('origin')
  if (origin !== null && !(URL.canParse(origin) && new URL(origin).host === host)) return false
  return (
    headers.get('sec-fetch-site') !== 'cross-site' || headers.get('sec-fetch-mode') === 'navigate'
  )
}

function portOf(address: string): string {
  const { port, protocol } = new URL(address)
  return port || (protocol === 'https:' ? '443' : '80')
}

function isLoopback(name: string): boolean {
  return /^(localhost|::1|(::ffff:)?127(\.\d{1,3}){3})$/i.test(name)
}
