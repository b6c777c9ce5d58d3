// The built-in mailbox, for trying the product without a mail server: it keeps the latest mails and shows them to
// people at this machine, and to nobody else, for their links sign people in.
import type { Handler } from '#http/context.ts'
import { mailboxPage } from './mailbox-page.ts'
import type { MailTransport } from './mail-transport.ts'

const KEPT_MAILS = 500

export type Mail = {
  id: string
  to: string
  subject: string
  text: string
  html: string
  /** Every address the mail links to, in the order of the text. */
  links: string[]
  sentAt: string
}

export type Mailbox = MailTransport & {
  /** Newest first. */
  messages(): Mail[]
  handle: Handler
}

export function createMailbox(): Mailbox {
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
      mails.length = Math.min(mails.length, KEPT_MAILS)
      return Promise.resolve()
    },
    close: () => undefined,
    isInstant: true,
    messages: () => [...mails],
    handle: (request, { clientAddress }) => Promise.resolve(show(request, clientAddress, mails)),
  }
}

function show(request: Request, clientAddress: string, mails: Mail[]): Response {
  if (!isFromThisMachine(request, clientAddress)) {
    return new Response('The mailbox is shown on the machine it runs on only.\n', { status: 403 })
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return new Response('Method not allowed\n', { status: 405, headers: { allow: 'GET' } })
  }
  const headers = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
  const path = new URL(request.url).pathname.replace(/\/+$/, '')
  if (path === '/_mail/messages.json') return Response.json(mails, { headers })
  const id = /^\/_mail\/([0-9a-f-]{36})$/.exec(path)?.[1]
  const open = id === undefined ? undefined : mails.find((mail) => mail.id === id)
  if (path !== '/_mail' && !open) return new Response('No such mail\n', { status: 404, headers })
  return new Response(mailboxPage(mails, open), {
    headers: {
      ...headers,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; form-action 'none'; base-uri 'none'",
      'referrer-policy': 'no-referrer',
    },
  })
}

// The address alone is not enough: a proxy on this machine, a page elsewhere that this machine's browser has open, and a
// name that resolves to this machine all come from a loopback address.
function isFromThisMachine(request: Request, clientAddress: string): boolean {
  const { headers } = request
  const forwarded = headers.get('x-forwarded-for')?.split(',') ?? []
  if (![clientAddress, ...forwarded].every((address) => isLoopback(address.trim()))) return false
  if (headers.has('forwarded')) return false
  const host = headers.get('host')
  if (host !== null && !isLoopback(hostName(host))) return false
  const origin = headers.get('origin')
  if (origin !== null && !(URL.canParse(origin) && new URL(origin).host === host)) return false
  return (
    headers.get('sec-fetch-site') !== 'cross-site' || headers.get('sec-fetch-mode') === 'navigate'
  )
}

function hostName(host: string): string {
  return host.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1')
}

function isLoopback(name: string): boolean {
  return /^(localhost|::1|(::ffff:)?127(\.\d{1,3}){3})$/i.test(name)
}

function findLinks(html: string): string[] {
  return [...html.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'))
}
