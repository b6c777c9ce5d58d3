import type { Person, Team } from './team.ts'

const ROUNDS = 10
/** A fixed piece of work for the processor, and what it takes on an idle machine of two cores in ms. */
const YARDSTICK = `select count(*) from generate_series(1, 180000) n where sqrt(n) > 1`
const YARDSTICK_MS = 27

/**
 * What a statement takes in ms as this member: the best of ten, on a machine as fast as the yardstick says. A busy or slow
 * machine takes longer for both.
 */
export async function bestTime(
  { sql }: Pick<Team, 'sql'>,
  caller: Person,
  statement: string,
): Promise<number> {
  await sql('begin')
  await sql(`select set_config('request.jwt.claims', $1, true)`, [
    JSON.stringify({ sub: caller.id, role: 'authenticated' }),
  ])
  const times: number[] = []
  const yardsticks: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    yardsticks.push(await timeOf(sql, YARDSTICK))
    times.push(await timeOf(sql, statement))
  }
  await sql('rollback')
  const slowness = Math.max(1, Math.min(...yardsticks) / YARDSTICK_MS)
  const best = Math.min(...times) / slowness
  if (process.env.SHOW_TIMES)
    console.log(statement, best.toFixed(1), 'yardstick', Math.min(...yardsticks).toFixed(1))
  return best
}

async function timeOf(sql: Team['sql'], statement: string): Promise<number> {
  const [row] = await sql<{ 'QUERY PLAN': { 'Execution Time': number }[] }>(
    `explain (analyze, format json) ${statement}`,
  )
  return row?.['QUERY PLAN'][0]?.['Execution Time'] ?? Infinity
}
