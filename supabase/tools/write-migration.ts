// The next migration's skeleton: statements that turn the migrated database into the one the schema files describe.
import pg from 'pg'
import { compareCatalogues, type Difference } from './compare-catalogues.ts'
import { planMigration } from './plan-migration.ts'
import { readCatalogue, type CatalogueObject } from './read-catalogue.ts'
import { splitStatements } from './split-statements.ts'

export type Skeleton = {
  /** Statements applied to the migrated database, in order. */
  statements: string[]
  /** What has to be written by hand, one sentence each. */
  byHand: string[]
}

// Several rounds: a statement may depend on another, and new objects come with default grants.
const MOST_ROUNDS = 8

/**
 * Derives the migration by applying it.
 * @param url a database with all migrations applied; it is modified
 * @param schemas the schema files as one script
 * @param wanted the catalog of a database created from them
 */
export async function writeMigration(
  url: string,
  schemas: string,
  wanted: CatalogueObject[],
): Promise<Skeleton> {
  const schema = splitStatements(schemas)
  const statements: string[] = []
  const errors = new Map<string, string>()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('set role postgres')
    const differences = async () => compareCatalogues(wanted, await readCatalogue(client))
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const before = statements.length
      for (const { difference, sql, otherwise } of planMigration(await differences(), schema)) {
        const attempts = otherwise ? [sql, otherwise] : [sql]
        const applied = await firstAccepted(client, attempts, (message) =>
          errors.set(nameOf(difference), message),
        )
        if (applied) statements.push(applied)
      }
      if (statements.length === before) break
    }
    const left = await differences()
    return { statements, byHand: left.map((each) => describe(each, errors.get(nameOf(each)))) }
  } finally {
    await client.end()
  }
}

async function firstAccepted(
  client: pg.Client,
  attempts: string[],
  onError: (message: string) => void,
): Promise<string | undefined> {
  for (const sql of attempts) {
    try {
      // Several statements in one query are one transaction.
      await client.query(sql)
      return sql
    } catch (error) {
      onError((error as Error).message)
    }
  }
  return undefined
}

const nameOf = ({ kind, name, parent }: Difference) =>
  `${kind} ${name}${parent && parent !== name && kind !== 'grant' ? ` of ${parent}` : ''}`

function describe(difference: Difference, error: string | undefined): string {
  const { wanted, found } = difference
  const what = wanted === undefined ? 'drop' : found === undefined ? 'create' : 'change'
  const change = what === 'change' ? `: from ${oneLine(found)} to ${oneLine(wanted)}` : ''
  return `${what} ${nameOf(difference)}${change}${error ? ` (Postgres: ${error})` : ''}`
}

const oneLine = (text = '') => JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text)
