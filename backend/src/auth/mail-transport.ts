// Where mails go: a mail server, or this process's own mailbox.
import { createTransport } from 'nodemailer'
import type { OutboxMail } from './mail-outbox.ts'

export type MailTransport = {
  /** Resolves once somebody else answers for the mail. */
  send(mail: OutboxMail): Promise<void>
  close(): void
  /** True when sending waits for nobody. */
  isInstant?: boolean
}

const CONNECT_MS = 10_000
const ANSWER_MS = 30_000

/**
 * @param smtpUrl `smtp://` or `smtps://`, with user and password if the server asks for them. `smtp://` begins in the
 * clear and turns to TLS; who sits in between could cut that offer out and read passwords and links, so a mail server
 * that is not on this machine must take it, unless the address says `?requireTLS=false`.
 */
export function createSmtpTransport(smtpUrl: string, from: { name: string; address: string }) {
  const url = new URL(smtpUrl)
  const isSecure = url.protocol === 'smtps:'
  const connection = createTransport({
    host: url.hostname,
    port: Number(url.port) || (isSecure ? 465 : 587),
    secure: isSecure,
    requireTLS: !isSecure && !isLoopback(url) && url.searchParams.get('requireTLS') !== 'false',
    ...(url.username
      ? {
          auth: {
            user: decodeURIComponent(url.username),
            pass: decodeURIComponent(url.password),
          },
        }
      : {}),
    pool: true,
    maxConnections: 2,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: ANSWER_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const domain = from.address.split('@')[1] ?? 'localhost'
  return {
    async send(mail: OutboxMail) {
      await connection.sendMail({
        from,
        to: { name: '', address: mail.to },
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
        date: mail.createdAt,
        // The same for every attempt, so that a mail sent twice is shown once.
        messageId: `<${mail.id}@${domain}>`,
        headers: { 'auto-submitted': 'auto-generated' },
      })
    },
    close: () => connection.close(),
  } satisfies MailTransport
}

function isLoopback({ hostname }: URL): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i.test(hostname)
}

/** True when trying again cannot help: the server knows no such mailbox. Wrong credentials can still be mended. */
export function isFinal(error: unknown): boolean {
  const { code, responseCode } = error as { code?: string; responseCode?: number }
  return (
    code === 'EENVELOPE' && responseCode !== undefined && responseCode >= 550 && responseCode < 555
  )
}
