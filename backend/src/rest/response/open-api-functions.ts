import type { Parameter, Routine } from '#rest/schema-cache/schema-types.ts'
import { schemaInQuery, schemaOfType, summaryOf } from './open-api-types.ts'

/** Functions in the OpenAPI document. Those that are not volatile can also be called with GET. */
export function describeFunctions(routines: Routine[]): Record<string, object> {
  return Object.fromEntries(
    routines.map((routine) => [`/rpc/${routine.name}`, describePath(routine)]),
  )
}

function describePath(routine: Routine): object {
  const operation = (parameters: object[]) => ({
    ...summaryOf(routine.description),
    tags: [`(rpc) ${routine.name}`],
    produces: [
      'application/json',
      'application/vnd.pgrst.object+json;nulls=stripped',
      'application/vnd.pgrst.object+json',
    ],
    parameters,
    responses: { 200: { description: 'OK' } },
  })
  const required = routine.parameters.filter((each) => each.required).map(({ name }) => name)
  const args = {
    required: true,
    name: 'args',
    in: 'body',
    schema: {
      type: 'object',
      ...(routine.description ? { description: routine.description } : {}),
      properties: Object.fromEntries(
        routine.parameters.map(({ name, type }) => [name, schemaOfType(type)]),
      ),
      ...(required.length > 0 ? { required } : {}),
    },
  }
  return {
    ...(routine.volatility === 'volatile'
      ? {}
      : { get: operation(routine.parameters.map(inQuery)) }),
    post: operation([args, { $ref: '#/parameters/preferParams' }]),
  }
}

function inQuery({ name, type, required, variadic }: Parameter): object {
  return { name, in: 'query', required, ...schemaInQuery(type, variadic) }
}
