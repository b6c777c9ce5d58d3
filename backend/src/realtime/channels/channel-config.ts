// The `config` of a join. Clients omit what they do not use, and some send "true" for true.
import * as v from 'valibot'
import { boundedList, FIRST_ISSUE } from '#http/bounded.ts'
import type { JsonObject } from '#http/parse-json.ts'
import { LIMITS } from '#realtime/limits.ts'

const flexibleBoolean = v.pipe(
  v.nullish(v.union([v.boolean(), v.string()]), false),
  v.transform((value) => value === true || (typeof value === 'string' && /^true$/i.test(value))),
)

const accessToken = v.nullish(v.pipe(v.string(), v.maxBytes(LIMITS.accessTokenBytes)))

const schema = v.object({
  access_token: accessToken,
  user_token: accessToken,
  config: v.nullish(
    v.object({
      private: flexibleBoolean,
      broadcast: v.nullish(
        v.object({
          ack: flexibleBoolean,
          self: flexibleBoolean,
          replay: v.nullish(v.unknown()),
          replication_ready: flexibleBoolean,
        }),
      ),
      presence: v.nullish(
        v.object({
          key: v.nullish(v.pipe(v.string(), v.maxBytes(LIMITS.presenceKeyBytes)), ''),
          enabled: flexibleBoolean,
        }),
      ),
      postgres_changes: v.nullish(boundedList(v.unknown(), 0, LIMITS.channelsPerConnection), []),
    }),
  ),
})

export type ChannelConfig = {
  accessToken: string | null
  isPrivate: boolean
  acknowledgesBroadcasts: boolean
  receivesOwnBroadcasts: boolean
  presenceEnabled: boolean
  /** Empty when the service should choose. */
  presenceKey: string
  wantsPostgresChanges: boolean
  wantsReadyMessage: boolean
  replay: { sinceMs: number; limit: number } | 'invalid' | null
}

/** Maximum and default number of replayed messages. */
const MAX_REPLAYED = 25

/** @throws ValiError when a part has the wrong type or is too long */
export function parseChannelConfig(payload: JsonObject): ChannelConfig {
  const { access_token, user_token, config } = v.parse(schema, payload, FIRST_ISSUE)
  return {
    accessToken: user_token ?? access_token ?? null,
    isPrivate: config?.private ?? false,
    acknowledgesBroadcasts: config?.broadcast?.ack ?? false,
    receivesOwnBroadcasts: config?.broadcast?.self ?? false,
    presenceEnabled: config?.presence?.enabled ?? false,
    presenceKey: config?.presence?.key ?? '',
    wantsPostgresChanges: (config?.postgres_changes ?? []).some((each) => each !== null),
    wantsReadyMessage: config?.broadcast?.replication_ready ?? false,
    replay: parseReplay(config?.broadcast?.replay),
  }
}

const replaySchema = v.object({
  since: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(8_640_000_000_000_000)),
  limit: v.nullish(v.pipe(v.number(), v.integer()), MAX_REPLAYED),
})

function parseReplay(replay: unknown): ChannelConfig['replay'] {
  if (replay === null || replay === undefined) return null
  const parsed = v.safeParse(replaySchema, replay)
  if (!parsed.success) return 'invalid'
  const { since, limit } = parsed.output
  return { sinceMs: since, limit: Math.max(1, Math.min(limit, MAX_REPLAYED)) }
}
