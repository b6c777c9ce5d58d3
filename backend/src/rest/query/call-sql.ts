// A function call in the FROM clause.
import { SCALAR, type CallPlan } from '#rest/plan/plan-types.ts'
import { quoteName, quoteTable } from './sql-names.ts'
import type { StatementParameters } from './statement-parameters.ts'

export function callSql(
  { routine, arguments: given }: CallPlan,
  alias: string,
  parameters: StatementParameters,
): string {
  const name = quoteTable(routine)
  const { kind, isRecord } = routine.returns
  const call = (given: string) => {
    // In FROM, a function that returns records would need a list of their columns.
    if (isRecord) return `(select ${name}(${given}) as ${SCALAR}) as ${alias}`
    return `${name}(${given}) as ${kind === 'row' ? alias : `${alias}(${SCALAR})`}`
  }
  const named = (parameter: { name: string; variadic: boolean }, value: string) =>
    `${parameter.variadic ? 'variadic ' : ''}${quoteName(parameter.name)} => ${value}`
  switch (given.kind) {
    case 'none':
      return call('')
    case 'unnamed':
      return call(`${parameters.for(given.value)}::${given.type}`)
    case 'values': {
      const list = given.parameters.map((parameter) => {
        const [first = 0] = parameter.values
        const texts = parameter.values.map((value) => `${parameters.for(value)}::text`)
        const value = parameter.variadic ? `array[${texts.join(', ')}]` : parameters.for(first)
        return named(parameter, `${value}::${parameter.type}`)
      })
      return call(list.join(', '))
    }
    case 'json': {
      const body = `${parameters.for(given.value)}::json${given.isArray ? '->0' : ''}`
      const columns = given.parameters.map(
        (parameter) => `${quoteName(parameter.name)} ${parameter.type}`,
      )
      const list = given.parameters.map((parameter) =>
        named(parameter, `a.${quoteName(parameter.name)}`),
      )
      return `json_to_record(${body}) as a(${columns.join(', ')}), lateral ${call(list.join(', '))}`
    }
  }
}
