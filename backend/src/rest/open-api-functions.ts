import { schemaOfType } from './open-api-types.ts'
import type { Parameter, Routine } from './schema-types.ts'

/** Functions in the OpenAPI document; those that cannot write can also be called by GET. */
export function describeFunctions(routines: Routine[]): Record<string, object> {
  return Object.fromEntries(
    routines.map((routine) => [`/rpc/${routine.name}`, describePath(routine)]),
  )
}

function describePath(routine: Routine): object {
  const operation = (parameters: object[]) => ({
    tags: [`(rpc) ${routine.name}`],
    summary: routine.description ?? '',
    produces: ['application/json', 'application/vnd.pgrst.object+json'],
    parameters,
    responses: { 200: { description: 'OK' } },
  })
  const args = {
    required: true,
    name: 'args',
    in: 'body',
    schema: {
      type: 'object',
      ...(routine.description ? { description: routine.description } : {}),
      properties: Object.fromEntries(
        routine.parameters.map(({ name, type }) => [name, schemaOfType(type, null)]),
      ),
      required: routine.parameters.filter(({ required }) => required).map(({ name }) => name),
    },
  }
  return {
    ...(routine.volatility === 'volatile'
      ? {}
      : { get: operation(routine.parameters.map(inQuery)) }),
    post: operation([args, { $ref: '#/parameters/preferParams' }]),
  }
}

function inQuery({ name, type, required }: Parameter): object {
  return { name, in: 'query', required, ...schemaOfType(type, null) }
}
