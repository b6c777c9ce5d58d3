// Mail transports: an SMTP server, or the built-in mailbox.
import { createTransport } from 'nodemailer'
import type { MailContent } from './mail-templates.ts'

export type OutboxMail = MailContent & { id: string; to: string; createdAt: Date }

export type MailTransport = {
  /** Resolves once the mail is accepted. */
  send(mail: OutboxMail): Promise<void>
  /** Connects and logs in as for a mail. @throws what the mail server complains about */
  check?(): Promise<void>
  close(): void
  /** Whether sending involves no network. */
  isInstant?: boolean
}

const CONNECT_TIMEOUT_MS = 10_000
const RESPONSE_TIMEOUT_MS = 30_000

/**
 * @param smtpUrl `smtp://` or `smtps://`, with credentials if the server requires them. `smtp://` starts in plain text and
 * upgrades with STARTTLS, which an attacker in the middle could strip to read passwords and links. TLS is therefore required
 * unless the server is on this machine or the URL has `?requireTLS=false`.
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
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: RESPONSE_TIMEOUT_MS,
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
        // The same for every attempt, so that mail clients deduplicate a mail that was sent twice.
        messageId: `<${mail.id}@${domain}>`,
        headers: { 'auto-submitted': 'auto-generated' },
      })
    },
    async check() {
      await connection.verify()
    },
    close: () => connection.close(),
  } satisfies MailTransport
}

function isLoopback({ hostname }: URL): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i.test(hostname)
}

/** Whether a retry is pointless because the mailbox does not exist. Wrong credentials can still be fixed. */
export function isFinal(error: unknown): boolean {
  const { code, responseCode } = error as { code?: string; responseCode?: number }
  return (
    code === 'EENVELOPE' && responseCode !== undefined && responseCode >= 550 && responseCode < 555
  )
}
