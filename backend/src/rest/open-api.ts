// The root of the data API describes the exposed schema as an OpenAPI 2 document: for tools, with the secret key only,
// since it names every table and function.
import { describeFunctions } from './open-api-functions.ts'
import { describeTable, describeTablePath, tableParameters } from './open-api-tables.ts'
import type { Schema } from './schema-types.ts'

export function describeSchema(schema: Schema, name: string, address: URL): object {
  const tables = [...schema.tables.values()].filter((table) => table.schema === name)
  const routines = [...schema.routines.values()].flat().filter((routine) => routine.schema === name)
  const relationships = (table: string) => schema.relationships.get(`${name}\u0000${table}`) ?? []
  return {
    swagger: '2.0',
    info: {
      title: schema.description.get(name) ?? 'standard public schema',
      description: '',
      version: '14',
    },
    host: address.host,
    basePath: '/rest/v1',
    schemes: [address.protocol.replace(':', '')],
    consumes: MEDIA_TYPES,
    produces: MEDIA_TYPES,
    paths: {
      '/': {
        get: {
          tags: ['Introspection'],
          summary: 'OpenAPI description (this document)',
          produces: ['application/openapi+json', 'application/json'],
          responses: { 200: { description: 'OK' } },
        },
      },
      ...Object.fromEntries(tables.map((table) => [`/${table.name}`, describeTablePath(table)])),
      ...describeFunctions(routines),
    },
    definitions: Object.fromEntries(
      tables.map((table) => [table.name, describeTable(table, relationships(table.name))]),
    ),
    parameters: {
      ...COMMON_PARAMETERS,
      ...(Object.assign({}, ...tables.map(tableParameters)) as object),
    },
    externalDocs: {
      description: 'PostgREST Documentation',
      url: 'https://docs.postgrest.org/en/v14/references/api.html',
    },
  }
}

const MEDIA_TYPES = [
  'application/json',
  'application/vnd.pgrst.object+json;nulls=stripped',
  'application/vnd.pgrst.object+json',
  'text/csv',
]

const query = (name: string, description: string) => ({
  name,
  description,
  required: false,
  in: 'query',
  type: 'string',
})
const header = (name: string, description: string, values?: string[]) => ({
  name,
  description,
  required: false,
  in: 'header',
  type: 'string',
  ...(values ? { enum: values } : {}),
})
const PREFER = {
  Params: ['params=single-object'],
  Return: ['return=representation', 'return=minimal', 'return=none'],
  Count: ['count=none'],
  Resolution: ['resolution=ignore-duplicates', 'resolution=merge-duplicates'],
}

const COMMON_PARAMETERS = {
  preferParams: header('Prefer', 'Preference', PREFER.Params),
  preferReturn: header('Prefer', 'Preference', PREFER.Return),
  preferCount: header('Prefer', 'Preference', PREFER.Count),
  preferPost: header('Prefer', 'Preference', [...PREFER.Return, ...PREFER.Resolution]),
  select: query('select', 'Filtering Columns'),
  on_conflict: query('on_conflict', 'On Conflict'),
  order: query('order', 'Ordering'),
  range: header('Range', 'Limiting and Pagination'),
  rangeUnit: { ...header('Range-Unit', 'Limiting and Pagination'), default: 'items' },
  offset: query('offset', 'Limiting and Pagination'),
  limit: query('limit', 'Limiting and Pagination'),
}
