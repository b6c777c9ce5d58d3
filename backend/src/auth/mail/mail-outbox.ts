// A transactional outbox: mails are enqueued in the transaction they belong to and sent from here. No mail is sent for a
// rolled-back action, and none is lost when the mail server is down or this process crashes.
import type { Logger } from 'pino'
import type { Clock } from '#http/clock.ts'
import type { ServiceDatabase } from '#postgres/database.ts'
import type { Query } from '#postgres/statement.ts'
import type { MailContent } from './mail-templates.ts'
import { isFinal, type MailTransport } from './mail-transport.ts'

/** After this, other processes may send the mails claimed by a crashed one. */
const LEASE_MS = 2 * 60_000
const RETRY_MS = [1_000, 2_000, 5_000, 15_000, 60_000, 5 * 60_000, 15 * 60_000]
const GIVE_UP_AFTER_MS = 3 * 24 * 60 * 60_000
const BATCH = 20
/** Mail servers that greylist take some minutes. */
const LATE_AFTER_MS = 10 * 60_000
const RECENT_MS = 24 * 60 * 60_000
/** Also bounds how soon the mails of a crashed process are noticed. */
const MAX_SLEEP_MS = 60_000

export type MailOutbox = {
  /** Enqueues the mail in the caller's transaction. */
  enqueue(query: Query, mail: MailContent & { to: string }, now: Date): Promise<void>
  /** Sends all due mails. Resolves when a run that started after the call has finished; never rejects. */
  deliver(): Promise<void>
  /** Sends the mails enqueued by the committed transaction; only waits if the transport is instant. */
  afterCommit(): Promise<void>
  /** What did not go out. */
  describeWaiting(): Promise<WaitingMail>
  close(): Promise<void>
}

export type WaitingMail = {
  /** Mails that have waited for more than ten minutes. */
  late: number
  /** Mails that were given up within a day. */
  givenUp: number
  oldestAt: Date | null
  /** What the mail server said of the newest mail that waits for another try; it may quote addresses. */
  lastError: string | null
}

/** A mail that will not be sent: the server refused it for good, or did not take it for three days. */
export type GivenUpMail = { to: string; reason: string; createdAt: Date }

type Row = {
  id: string
  recipient: string
  subject: string
  text_body: string
  html_body: string
  created_at: Date
  attempts: number
}

export function createMailOutbox({
  database,
  transport,
  clock,
  log,
  onGivenUp,
}: {
  database: ServiceDatabase
  transport: MailTransport
  clock: Clock
  log: Logger
  onGivenUp?: ((mail: GivenUpMail) => Promise<void>) | undefined
}): MailOutbox {
  let running: Promise<void> | null = null
  let queued: Promise<void> | null = null
  let timer: NodeJS.Timeout | undefined
  let closed = false

  function deliver(): Promise<void> {
    if (closed) return Promise.resolve()
    if (!running) {
      running = run().finally(() => (running = null))
      return running
    }
    queued ??= running.then(() => {
      queued = null
      return deliver()
    })
    return queued
  }

  async function run(): Promise<void> {
    clearTimeout(timer)
    let sleep = MAX_SLEEP_MS
    try {
      for (;;) {
        const mails = await claim()
        if (mails.length === 0) break
        await Promise.all(mails.map(send))
      }
      sleep = Math.min(sleep, await untilNextDue())
    } catch (error) {
      log.error({ err: error }, 'could not read the mail outbox')
      sleep = RETRY_MS[2] ?? sleep
    }
    if (closed) return
    timer = setTimeout(() => void deliver(), sleep)
    timer.unref()
  }

  async function claim(): Promise<Row[]> {
    const now = clock.now()
    const { rows } = await database.query({
      name: 'auth_claim_mails',
      text: `
        update auth_service.mail_outbox set attempts = attempts + 1, next_attempt_at = $2
        where id in (
          select id from auth_service.mail_outbox
          where given_up_at is null and next_attempt_at <= $1
          order by created_at limit ${BATCH} for update skip locked
        )
        returning id, recipient, subject, text_body, html_body, created_at, attempts`,
      values: [new Date(now), new Date(now + LEASE_MS)],
    })
    return (rows as Row[]).sort((one, other) => +one.created_at - +other.created_at)
  }

  async function send(row: Row): Promise<void> {
    try {
      await transport.send({
        id: row.id,
        to: row.recipient,
        subject: row.subject,
        text: row.text_body,
        html: row.html_body,
        createdAt: row.created_at,
      })
    } catch (error) {
      return postpone(row, error)
    }
    await database.query({
      name: 'auth_delete_mail',
      text: 'delete from auth_service.mail_outbox where id = $1',
      values: [row.id],
    })
  }

  async function postpone(row: Row, error: unknown): Promise<void> {
    const now = clock.now()
    const isOver = isFinal(error) || now - row.created_at.getTime() > GIVE_UP_AFTER_MS
    const wait = RETRY_MS[Math.min(row.attempts, RETRY_MS.length) - 1] ?? 0
    const reason = String((error as Error).message).slice(0, 500)
    log.warn({ mail: row.id, attempts: row.attempts, givenUp: isOver, reason }, 'mail not sent')
    await database.query({
      text: `update auth_service.mail_outbox
        set next_attempt_at = $2, last_error = $3, given_up_at = $4 where id = $1`,
      values: [row.id, new Date(now + wait), reason, isOver ? new Date(now) : null],
    })
    if (!isOver) return
    const mail = { to: row.recipient, reason, createdAt: row.created_at }
    await onGivenUp?.(mail).catch((error: unknown) =>
      log.error({ err: error, mail: row.id }, 'could not report a mail that was given up'),
    )
  }

  async function untilNextDue(): Promise<number> {
    const { rows } = await database.query({
      name: 'auth_next_mail',
      text: 'select min(next_attempt_at) as due from auth_service.mail_outbox where given_up_at is null',
    })
    const due = (rows[0] as { due: Date | null } | undefined)?.due
    return due ? Math.max(50, due.getTime() - clock.now()) : MAX_SLEEP_MS
  }

  return {
    async enqueue(query, mail, now) {
      await query({
        name: 'auth_enqueue_mail',
        text: `
          insert into auth_service.mail_outbox
            (recipient, subject, text_body, html_body, created_at, next_attempt_at)
          values ($1, $2, $3, $4, $5, $5)`,
        values: [mail.to, mail.subject, mail.text, mail.html, now],
      })
    },
    deliver,
    async afterCommit() {
      const delivery = deliver()
      // The built-in mailbox shows the mail as soon as the response arrives.
      if (transport.isInstant) await delivery
    },
    async describeWaiting() {
      const now = clock.now()
      const { rows } = await database.query({
        name: 'auth_describe_waiting_mails',
        text: `select
            (count(*) filter (where given_up_at is null and created_at < $1))::int as late,
            (count(*) filter (where given_up_at > $2))::int as "givenUp",
            min(created_at) filter (where given_up_at is null) as "oldestAt",
            (array_agg(last_error order by created_at desc) filter (where given_up_at is null and last_error is not null))[1]
              as "lastError"
          from auth_service.mail_outbox
          where given_up_at is null or given_up_at > $2`,
        values: [new Date(now - LATE_AFTER_MS), new Date(now - RECENT_MS)],
      })
      return rows[0] as WaitingMail
    },
    async close() {
      closed = true
      clearTimeout(timer)
      await queued
      await running
      transport.close()
    },
  }
}
