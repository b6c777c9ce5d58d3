// The built-in mailbox, for an installation without a mail server. It keeps the latest mails; mailbox-access.ts controls
// access, because their links sign people in.
import { LIMITS } from '#auth/limits.ts'
import type { Context, Handler } from '#http/context.ts'
import type { MailTransport } from './mail-transport.ts'
import type { MailboxAccess } from './mailbox-access.ts'
import { lockedMailboxPage, mailboxPage, type Mail } from './mailbox-page.ts'

const LIST_PATH = '/_mail/messages.json'
const OPEN_PATH = '/_mail/open'
const HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

export type Mailbox = MailTransport & {
  /** Newest first. */
  messages(): Mail[]
  /** The pages below /_mail; null when access is disabled. */
  handle: Handler | null
}

export function createMailbox(access: MailboxAccess | null): Mailbox {
  const mails: Mail[] = []
  return {
    send(mail) {
      mails.unshift({
        id: mail.id,
        to: mail.to,
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
        links: findLinks(mail.html),
        sentAt: mail.createdAt.toISOString(),
      })
      mails.length = Math.min(mails.length, LIMITS.keptMails)
      return Promise.resolve()
    },
    close: () => undefined,
    isInstant: true,
    messages: () => [...mails],
    handle: access && ((request, context) => respond(request, context, mails, access)),
  }
}

async function respond(
  request: Request,
  context: Context,
  mails: Mail[],
  access: MailboxAccess,
): Promise<Response> {
  const path = new URL(request.url).pathname.replace(/\/+$/, '')
  if (path === OPEN_PATH && request.method === 'POST') return open(request, context, access)
  const state = await access.check(request, context)
  if (state === 'never') {
    return new Response('The mailbox is shown on the machine it runs on only.\n', { status: 403 })
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return new Response('Method not allowed\n', { status: 405, headers: { allow: 'GET' } })
  }
  if (state === 'locked') {
    return path === LIST_PATH
      ? new Response('The mailbox is locked.\n', { status: 401, headers: HEADERS })
      : page(lockedMailboxPage(), 401)
  }
  if (path === LIST_PATH) return Response.json(mails, { headers: HEADERS })
  const id = /^\/_mail\/([0-9a-f-]{36})$/.exec(path)?.[1]
  const opened = id === undefined ? undefined : mails.find((mail) => mail.id === id)
  if (path !== '/_mail' && !opened) {
    return new Response('No such mail\n', { status: 404, headers: HEADERS })
  }
  return page(mailboxPage(mails, opened))
}

/** A form with the secret redirects to the mails; an app with a member's token only receives the cookie. */
async function open(request: Request, context: Context, access: MailboxAccess): Promise<Response> {
  const secret = new URLSearchParams(await request.text()).get('secret') ?? ''
  const isMember = secret === '' && request.headers.has('authorization')
  const cookie = secret === '' && !isMember ? null : await access.open(secret, context)
  const headers: Record<string, string> = cookie ? { ...HEADERS, 'set-cookie': cookie } : HEADERS
  if (isMember) return new Response(null, { status: cookie ? 204 : 403, headers })
  if (!cookie)
    return page(lockedMailboxPage('That is not the secret, or it was used already.'), 403)
  return new Response(null, { status: 303, headers: { ...headers, location: '/_mail' } })
}

function page(html: string, status = 200): Response {
  return new Response(html, {
    status,
    headers: {
      ...HEADERS,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; form-action 'self'; base-uri 'none'",
      'referrer-policy': 'no-referrer',
    },
  })
}

function findLinks(html: string): string[] {
  return [...html.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'))
}
