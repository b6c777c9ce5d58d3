// Plans a function call: which function, and how its arguments are passed.
import type { ParsedRequest } from '#rest/request/parse-request.ts'
import type { Parameter, Routine, Schema } from '#rest/schema-cache/schema-types.ts'
import { chooseFunction, takesBody } from './choose-function.ts'
import type { Arguments, CallPlan } from './plan-types.ts'

type CallRequest = ParsedRequest & { action: { kind: 'call' } }

export function planCall(request: CallRequest, schema: Schema, bodyValue: number): CallPlan {
  const { action, body, query } = request
  const isPost = action.method === 'POST'
  const keys = !isPost
    ? query.params.map(({ name }) => name)
    : body?.kind === 'json'
      ? body.keys
      : body?.kind === 'form'
        ? body.pairs.map(({ name }) => name)
        : []
  const routine = chooseFunction(schema, {
    schema: request.schema,
    name: action.function,
    keys: [...new Set(keys)].sort(),
    contentType: request.contentType,
    isPost,
  })
  return { routine, arguments: planArguments(routine, request, isPost, bodyValue) }
}

function planArguments(
  routine: Routine,
  { body, query, contentType }: CallRequest,
  isPost: boolean,
  bodyValue: number,
): Arguments {
  const [first] = routine.parameters
  if (!first) return { kind: 'none' }
  const isNamedEmpty = body?.kind === 'json' && body.keys.includes('')
  if (isNamedEmpty || takesBody(routine, { isPost, contentType })) {
    return { kind: 'unnamed', type: first.type, value: bodyValue }
  }
  if (body?.kind === 'json') {
    const { keys, isArray } = body
    const parameters = routine.parameters.filter(({ name }) => keys.includes(name))
    if (isArray && keys.length === 0) return { kind: 'none' }
    return parameters.length === 0
      ? { kind: 'none' }
      : { kind: 'json', parameters, value: bodyValue, isArray }
  }
  const given = body?.kind === 'form' ? formNames(body.pairs, bodyValue) : query.params
  return valuesOf(routine.parameters, given)
}

/** Each pair of a form is a value, starting at the body's index. */
function formNames(pairs: { name: string }[], start: number) {
  return pairs.map(({ name }, index) => ({ name, value: start + index }))
}

function valuesOf(parameters: Parameter[], given: { name: string; value: number }[]): Arguments {
  const used = parameters.flatMap((parameter) => {
    const own = given.filter(({ name }) => name === parameter.name)
    const last = own.at(-1)
    if (!last) return []
    return [
      { ...parameter, values: parameter.variadic ? own.map(({ value }) => value) : [last.value] },
    ]
  })
  return used.length === 0 ? { kind: 'none' } : { kind: 'values', parameters: used }
}
