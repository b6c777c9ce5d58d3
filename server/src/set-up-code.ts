// The code with which the first person becomes admin, so that it is not simply whoever comes first.
import { GuardedClient } from 'backend/postgres/guarded-client.ts'

/**
 * The code to print: the operator's own or a new one, which replaces the last. Null once the team has an admin, or where
 * everybody is let in and the first member is admin anyway.
 */
export async function issueSetUpCode(
  databaseUrl: string,
  ownCode: string | undefined,
): Promise<string | null> {
  const client = new GuardedClient({
    connectionString: databaseUrl,
    application_name: 'set-up code',
  })
  await client.connect()
  try {
    await client.query('set role postgres')
    const { rows } = await client.query<{ code: string | null }>(
      'select private.issue_set_up_code($1) as code',
      [ownCode ?? null],
    )
    return rows[0]?.code ?? null
  } finally {
    await client.end()
  }
}
