// Rate limits in Postgres, shared by all processes. One row and one statement per check: the generic cell rate algorithm
// (GCRA) stores only the time at which the requests so far would have been spent at the allowed rate.
import type { ServiceDatabase } from '#postgres/database.ts'
import type { Query } from '#postgres/statement.ts'
import type { Clock } from '#http/clock.ts'
import { RATES, type Rate } from '#auth/limits.ts'

export type RateName = keyof typeof RATES

export type RateLimits = {
  /** Counts a request. @returns 0 when it is allowed, else the seconds until the next one is */
  use(name: RateName, who: string): Promise<number>
  /** Like `use`, but does not count. */
  peek(name: RateName, who: string): Promise<number>
  /** Counts an event unconditionally, in the caller's transaction. */
  count(query: Query, name: RateName, who: string): Promise<void>
  /** Reverts one `use`. */
  refund(name: RateName, who: string): Promise<void>
  /** Allows one request per interval. @returns as `use` */
  throttle(key: string, seconds: number): Promise<number>
  reset(key: string): Promise<void>
}

const SWEEP_EVERY = 500

export function createRateLimits(
  database: ServiceDatabase,
  clock: Clock,
  factor: number,
): RateLimits {
  let uses = 0

  async function consume(key: string, { count, seconds }: Rate): Promise<number> {
    if (++uses % SWEEP_EVERY === 0) await sweep()
    const now = new Date(clock.now())
    const cost = costOf({ count, seconds })
    // The upsert locks the row, so of two concurrent requests only one gets the last slot.
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
            -- Only a clock that was set back produces such a row; it must not lock anyone out until then.
            or known.busy_until > $2 + 2 * $4::float8 * interval '1 ms'
        returning busy_until`,
      values: [key, now, cost, seconds * 1000],
    })
    if (rows.length > 0) return 0
    return Math.max(1, await wait(key, { count, seconds }))
  }

  async function wait(key: string, { count, seconds }: Rate): Promise<number> {
    const { rows } = await database.query({
      name: 'auth_rate_limit_peek',
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

  /** Deletes the row when nothing else was counted, so that a changed clock cannot delay a caller without failures. */
  async function subtract(key: string, cost: number): Promise<void> {
    await database.query({
      name: 'auth_rate_limit_subtract',
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

  const scaled = (name: RateName): Rate => ({
    ...RATES[name],
    // Less than one would be none at all.
    count: Math.max(1, RATES[name].count * factor),
  })
  return {
    use: async (name, who) => (factor === 0 ? 0 : consume(`${name}:${who}`, scaled(name))),
    peek: async (name, who) => (factor === 0 ? 0 : wait(`${name}:${who}`, scaled(name))),
    async count(query, name, who) {
      if (factor > 0) await add(query, `${name}:${who}`, costOf(scaled(name)))
    },
    async refund(name, who) {
      if (factor > 0) await subtract(`${name}:${who}`, costOf(scaled(name)))
    },
    throttle: async (key, seconds) =>
      seconds === 0 || factor === 0 ? 0 : consume(key, { count: 1, seconds }),
    async reset(key) {
      await database.query({
        text: 'delete from auth_service.rate_limits where key = $1',
        values: [key],
      })
    },
  }
}

/** The emission interval of one request, in milliseconds. */
function costOf({ count, seconds }: Rate): number {
  return (seconds * 1000) / count
}
