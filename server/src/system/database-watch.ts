import { serviceCaller } from 'backend/http/caller.ts'
import type { Database } from 'backend/postgres/database.ts'

const LOOKS = 3

export type DatabaseFacts = {
  /** How long a simple statement takes, with the wait for a connection: the middle one of three. */
  seconds: number
  /** How far the clock of this machine is ahead of the database's. */
  clock_ahead_seconds: number
  /** The last time that it could not be reached. */
  away_since?: string
  away_until?: string
}

/** Looks as members' requests do: through the same queue for a connection. */
export function watchDatabase({ runAs }: Pick<Database, 'runAs'>, now: () => number = Date.now) {
  let awaySince: number | null = null
  let away: Pick<DatabaseFacts, 'away_since' | 'away_until'> = {}

  async function look() {
    const before = performance.now()
    const { rows } = await runAs(serviceCaller, {
      name: 'database_clock',
      text: 'select extract(epoch from clock_timestamp()) * 1000 as now',
      values: [],
    })
    const took = performance.now() - before
    const [row] = rows as { now: string }[]
    return { took, ahead: now() - took / 2 - Number(row?.now) }
  }

  return {
    /** @throws if it cannot be reached; the next success says since when */
    async measure(): Promise<DatabaseFacts> {
      const looks: { took: number; ahead: number }[] = []
      try {
        while (looks.length < LOOKS) looks.push(await look())
      } catch (error) {
        awaySince ??= now()
        throw error
      }
      if (awaySince !== null) {
        away = {
          away_since: new Date(awaySince).toISOString(),
          away_until: new Date(now()).toISOString(),
        }
        awaySince = null
      }
      looks.sort((one, other) => one.took - other.took)
      const [fastest, middle] = looks
      return {
        seconds: rounded(middle?.took),
        // The fastest says most about the clock: a wait may lie on either side of the response.
        clock_ahead_seconds: rounded(fastest?.ahead),
        ...away,
      }
    },
  }
}

const rounded = (milliseconds = 0) => Number((milliseconds / 1000).toFixed(4))
