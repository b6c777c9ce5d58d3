// Tables in the OpenAPI document. Notes on keys stand in the description, where generators look for them.
import { schemaOfType } from './open-api-types.ts'
import type { Column, Relationship, Table } from './schema-types.ts'

const ref = (name: string) => ({ $ref: `#/parameters/${name}` })
const refs = (...names: string[]) => names.map(ref)

export function describeTable(table: Table, relationships: Relationship[]): object {
  const required = [...table.columns.values()].filter((column) => !column.nullable)
  return {
    ...(table.description ? { description: table.description } : {}),
    ...(required.length > 0 ? { required: required.map((column) => column.name) } : {}),
    properties: Object.fromEntries(
      [...table.columns.values()].map((column) => [
        column.name,
        describeColumn(column, table, relationships),
      ]),
    ),
    type: 'object',
  }
}

function describeColumn(column: Column, table: Table, relationships: Relationship[]): object {
  const notes = [
    ...(table.primaryKey.includes(column.name) ? ['This is a Primary Key.<pk/>'] : []),
    ...foreignKeys(column, relationships),
  ]
  const description = [
    column.description,
    notes.length > 0 ? `Note:\n${notes.join('\n')}` : null,
  ].filter(Boolean)
  return {
    ...schemaOfType(column.type, column.enumValues),
    ...(column.default !== null ? { default: column.default } : {}),
    ...(description.length > 0 ? { description: description.join('\n\n') } : {}),
  }
}

function foreignKeys(column: Column, relationships: Relationship[]): string[] {
  return relationships.flatMap((relationship) => {
    if (relationship.kind !== 'many-to-one' || relationship.toIsView) return []
    const pair = relationship.columns.find(([own]) => own === column.name)
    if (!pair) return []
    const { name } = relationship.to
    return [
      `This is a Foreign Key to \`${name}.${pair[1]}\`.<fk table='${name}' column='${pair[1]}'/>`,
    ]
  })
}

export function describeTablePath(table: Table): object {
  const filters = [...table.columns.keys()].map((column) => `rowFilter.${table.name}.${column}`)
  const operation = (summary: string, parameters: object[], responses: object) => ({
    tags: [table.name],
    summary,
    parameters,
    responses,
  })
  const body = ref(`body.${table.name}`)
  const list = {
    description: 'OK',
    schema: { type: 'array', items: { $ref: `#/definitions/${table.name}` } },
  }
  return {
    get: operation(
      table.description ?? '',
      refs(...filters, 'select', 'order', 'range', 'rangeUnit', 'offset', 'limit', 'preferCount'),
      { 200: list, 206: { description: 'Partial Content' } },
    ),
    ...(table.insertable
      ? {
          post: operation('', [body, ...refs('select', 'preferPost')], {
            201: { description: 'Created' },
          }),
        }
      : {}),
    ...(table.updatable
      ? {
          patch: operation('', [...refs(...filters), body, ref('preferReturn')], {
            204: { description: 'No Content' },
          }),
        }
      : {}),
    ...(table.deletable
      ? {
          delete: operation('', [...refs(...filters), ref('preferReturn')], {
            204: { description: 'No Content' },
          }),
        }
      : {}),
  }
}

export function tableParameters(table: Table): Record<string, object> {
  const filters = [...table.columns.keys()].map((column) => [
    `rowFilter.${table.name}.${column}`,
    { name: column, required: false, in: 'query', type: 'string' },
  ])
  return {
    [`body.${table.name}`]: {
      name: table.name,
      required: false,
      in: 'body',
      schema: { $ref: `#/definitions/${table.name}` },
    },
    ...(Object.fromEntries(filters) as Record<string, object>),
  }
}
