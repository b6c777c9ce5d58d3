// Connections of a test's own, for transactions that overlap.
import pg from 'pg'
import { claimsOf, type Person, type Team } from './team.ts'

/** `endConnections` belongs before the team's end. */
export function ownConnections(team: () => Team) {
  const connections: pg.Client[] = []

  async function aConnection(): Promise<pg.Client> {
    const connection = new pg.Client({ connectionString: team().backend.superuserUrl })
    connections.push(connection)
    await connection.connect()
    return connection
  }

  return {
    aConnection,

    /** A connection whose calls are this person's; `claims` are what their token says besides. */
    async connectionOf({ id }: Person, claims: object = {}): Promise<pg.Client> {
      const connection = await aConnection()
      const token = JSON.stringify({ ...claimsOf(id), ...claims })
      await connection.query("select set_config('request.jwt.claims', $1, false)", [token])
      return connection
    },

    endConnections: () => Promise.all(connections.map((connection) => connection.end())),
  }
}
