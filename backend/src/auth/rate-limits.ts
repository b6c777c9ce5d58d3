// Counters in Postgres, so that several processes agree. One row and one statement per check: the generic cell rate
// algorithm keeps only the moment at which the caller will have "used up" the requests so far at the allowed pace.
import type { ServiceDatabase } from '#postgres/database.ts'
import type { Query } from '#postgres/statement.ts'
import type { Clock } from '#http/clock.ts'

/** So many requests at once, refilled evenly over the period. */
export type Limit = { count: number; seconds: number }

/** Hosted Supabase's numbers where it has them. */
export const LIMITS = {
  /** Per network address. A whole office may sit behind one. */
  signIn: { count: 150, seconds: 300 },
  refresh: { count: 150, seconds: 300 },
  signUp: { count: 30, seconds: 300 },
  mail: { count: 30, seconds: 300 },
  verify: { count: 30, seconds: 300 },
  update: { count: 60, seconds: 300 },
  /** Per account and address: wrong passwords, then per account from anywhere. */
  wrongPasswordFromHere: { count: 10, seconds: 300 },
  wrongPasswordAnywhere: { count: 50, seconds: 900 },
  /** Per account: guesses of a six-digit code. A million codes, an hour each. */
  wrongCode: { count: 10, seconds: 600 },
  /**
   * Mails: asked for from one network address, whatever for; to one recipient; and those really sent, together. Against
   * flooding a mailbox, the mail server's good name, and one address using up what the whole team may be sent.
   */
  mailsFromHere: { count: 60, seconds: 3600 },
  mailsToOne: { count: 10, seconds: 3600 },
  mailsToAll: { count: 500, seconds: 3600 },
} as const satisfies Record<string, Limit>
export type LimitName = keyof typeof LIMITS

export type RateLimits = {
  /** Counts one request. Answers 0 when it may pass, else in how many seconds it may. */
  use(name: LimitName, who: string): Promise<number>
  /** Like `use`, without counting. */
  look(name: LimitName, who: string): Promise<number>
  /** Counts what happens in any case, in the transaction in which it happens. */
  count(query: Query, name: LimitName, who: string): Promise<void>
  /** Undoes one `use`. */
  giveBack(name: LimitName, who: string): Promise<void>
  /** One request per interval, for two mails of a kind. */
  space(key: string, seconds: number): Promise<number>
  forget(key: string): Promise<void>
}

const SWEEP_EVERY = 500

export function createRateLimits(
  database: ServiceDatabase,
  clock: Clock,
  factor: number,
): RateLimits {
  let uses = 0

  async function spend(key: string, { count, seconds }: Limit): Promise<number> {
    if (++uses % SWEEP_EVERY === 0) await sweep()
    const now = new Date(clock.now())
    const cost = costOf({ count, seconds })
    // The row is locked by the upsert, so of two requests at the last free place one waits, then finds it taken.
    const { rows } = await database.query({
      name: 'auth_rate_limit',
      text: `
        insert into auth_service.rate_limits as known (key, busy_until)
        values ($1, $2::timestamptz + $3::float8 * interval '1 ms')
        on conflict (key) do update
          set busy_until = case when known.busy_until > $2 + 2 * $4::float8 * interval '1 ms' then $2
            else greatest(known.busy_until, $2) end + $3::float8 * interval '1 ms'
          where greatest(known.busy_until, $2) + $3::float8 * interval '1 ms'
            <= $2 + $4::float8 * interval '1 ms'
            -- Only a clock that was set back leaves such a row behind; it must not shut anybody out until then.
            or known.busy_until > $2 + 2 * $4::float8 * interval '1 ms'
        returning busy_until`,
      values: [key, now, cost, seconds * 1000],
    })
    if (rows.length > 0) return 0
    return Math.max(1, await wait(key, { count, seconds }))
  }

  async function wait(key: string, { count, seconds }: Limit): Promise<number> {
    const { rows } = await database.query({
      name: 'auth_rate_limit_look',
      text: 'select busy_until from auth_service.rate_limits where key = $1',
      values: [key],
    })
    const [found] = rows as { busy_until: Date }[]
    const freeAt = (found?.busy_until.getTime() ?? 0) + costOf({ count, seconds }) - seconds * 1000
    return Math.max(0, Math.ceil((freeAt - clock.now()) / 1000))
  }

  async function add(query: Query, key: string, cost: number): Promise<void> {
    await query({
      name: 'auth_rate_limit_add',
      text: `
        insert into auth_service.rate_limits as known (key, busy_until)
        values ($1, $2::timestamptz + $3::float8 * interval '1 ms')
        on conflict (key) do update
          set busy_until = greatest(known.busy_until, $2) + $3::float8 * interval '1 ms'`,
      values: [key, new Date(clock.now()), cost],
    })
  }

  /** Leaves no row where nothing else was used: whoever did all right has nothing to wait for, whatever the clock does. */
  async function takeOff(key: string, cost: number): Promise<void> {
    await database.query({
      name: 'auth_rate_limit_take_off',
      text: `
        with spent as (
          delete from auth_service.rate_limits
          where key = $1 and busy_until <= $2::timestamptz + $3::float8 * interval '1 ms'
        )
        update auth_service.rate_limits set busy_until = busy_until - $3::float8 * interval '1 ms'
        where key = $1 and busy_until > $2::timestamptz + $3::float8 * interval '1 ms'`,
      values: [key, new Date(clock.now()), cost],
    })
  }

  async function sweep() {
    await database.query({
      text: 'delete from auth_service.rate_limits where busy_until < $1',
      values: [new Date(clock.now())],
    })
  }

  const scaled = (name: LimitName): Limit => ({
    ...LIMITS[name],
    count: LIMITS[name].count * factor,
  })
  return {
    use: async (name, who) => (factor === 0 ? 0 : spend(`${name}:${who}`, scaled(name))),
    look: async (name, who) => (factor === 0 ? 0 : wait(`${name}:${who}`, scaled(name))),
    async count(query, name, who) {
      if (factor > 0) await add(query, `${name}:${who}`, costOf(scaled(name)))
    },
    async giveBack(name, who) {
      if (factor > 0) await takeOff(`${name}:${who}`, costOf(scaled(name)))
    },
    space: async (key, seconds) =>
      seconds === 0 || factor === 0 ? 0 : spend(key, { count: 1, seconds }),
    async forget(key) {
      await database.query({
        text: 'delete from auth_service.rate_limits where key = $1',
        values: [key],
      })
    },
  }
}

/** How long one request keeps its caller busy, in milliseconds. */
function costOf({ count, seconds }: Limit): number {
  return (seconds * 1000) / count
}

/** Whom an address stands for: an IPv6 customer has a whole /64 to call from. */
export function addressGroup(clientAddress: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(clientAddress)?.[1]
  if (mapped) return mapped
  if (!clientAddress.includes(':')) return clientAddress
  const [head = '', tail] = clientAddress.toLowerCase().split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length)
  const groups = [...before, ...Array.from({ length: zeros }, () => '0'), ...after]
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}
