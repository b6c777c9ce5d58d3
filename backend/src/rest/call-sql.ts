// A function call as a source of rows.
import type { CallPlan } from './plan-types.ts'
import { quoteName, quoteTable } from './sql-names.ts'
import type { StatementParameters } from './statement-parameters.ts'

/** The column that holds the result of a function that returns a single value. */
export const SCALAR = 'pgrst_scalar'

export function callSql(
  { routine, arguments: given }: CallPlan,
  alias: string,
  parameters: StatementParameters,
): string {
  const name = quoteTable(routine)
  const as = routine.returns.kind === 'row' ? alias : `${alias}(${SCALAR})`
  const named = (parameter: { name: string; variadic: boolean }, value: string) =>
    `${parameter.variadic ? 'variadic ' : ''}${quoteName(parameter.name)} => ${value}`
  switch (given.kind) {
    case 'none':
      return `${name}() as ${as}`
    case 'unnamed':
      return `${name}(${parameters.for(given.value)}::${given.type}) as ${as}`
    case 'values': {
      const list = given.parameters.map((parameter) => {
        const [first = 0] = parameter.values
        const texts = parameter.values.map((value) => `${parameters.for(value)}::text`)
        const value = parameter.variadic ? `array[${texts.join(', ')}]` : parameters.for(first)
        return named(parameter, `${value}::${parameter.type}`)
      })
      return `${name}(${list.join(', ')}) as ${as}`
    }
    case 'json': {
      const body = `${parameters.for(given.value)}::json${given.isArray ? '->0' : ''}`
      const columns = given.parameters.map(
        (parameter) => `${quoteName(parameter.name)} ${parameter.type}`,
      )
      const list = given.parameters.map((parameter) =>
        named(parameter, `a.${quoteName(parameter.name)}`),
      )
      return `json_to_record(${body}) as a(${columns.join(', ')}), lateral ${name}(${list.join(', ')}) as ${as}`
    }
  }
}
