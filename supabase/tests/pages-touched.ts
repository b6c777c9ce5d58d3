import type { Person, Team } from './team.ts'

type Plan = { 'Shared Hit Blocks': number; 'Shared Read Blocks': number }

/**
 * Database pages a statement touches when run as the member; unlike time, they do not depend on the machine. The second
 * run counts: the first also reads the catalog.
 */
export async function pagesTouched(team: Team, person: Person, statement: string): Promise<number> {
  let pages = 0
  for (let run = 0; run < 2; run++) {
    const caller = {
      role: 'authenticated',
      claimsText: JSON.stringify({ sub: person.id, role: 'authenticated' }),
    } as const
    const { rows } = await team.backend.database.transactionAs(caller, async (query) => {
      await query({ text: statement })
      return query({ text: `explain (analyze, buffers, format json) ${statement}` })
    })
    const [
      {
        'QUERY PLAN': [{ Plan: plan }],
      },
    ] = rows as [{ 'QUERY PLAN': [{ Plan: Plan }] }]
    pages = plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
  }
  return pages
}
