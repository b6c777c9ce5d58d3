import { expect, test } from 'vitest'
import { viewColumnOrigins } from './view-columns.ts'

const target = (number: number, table: number, column: number, more = '') =>
  `{TARGETENTRY :expr {VAR :varno 1 :varattno ${column} ${more}} :resno ${number} :resname odd\\ \\(name\\} :ressortgroupref 0 :resorigtbl ${table} :resorigcol ${column} :resjunk false}`

test('the columns of a view are traced to their table columns', () => {
  const definition = `({QUERY :commandType 1 :rtable ({RANGETBLENTRY :subquery {QUERY :targetList (${target(1, 99, 9)})}}) :targetList (${target(1, 7, 2)} ${target(2, 0, 0)} ${target(3, 8, 1, '{SUBLINK :subselect {QUERY :targetList (' + target(4, 55, 5) + ')}}')}) :onConflict <>})`
  expect([...viewColumnOrigins(definition)]).toEqual([
    [1, { table: 7, column: 2 }],
    [3, { table: 8, column: 1 }],
  ])
})

test('a definition without a query has no columns', () => {
  expect(viewColumnOrigins('').size).toBe(0)
  expect(viewColumnOrigins('({QUERY :targetList <>})').size).toBe(0)
})
