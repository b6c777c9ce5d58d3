// Tables in the OpenAPI document. Keys are noted in the description, where code generators look for them.
import type { Column, Relationship, Table } from '#rest/schema-cache/schema-types.ts'
import { schemaOfColumn, summaryOf } from './open-api-types.ts'

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
    ...foreignKey(column, relationships),
  ]
  const description = [
    column.description,
    notes.length > 0 ? `Note:\n${notes.join('\n')}` : null,
  ].filter(Boolean)
  return {
    ...schemaOfColumn(column),
    ...(description.length > 0 ? { description: description.join('\n\n') } : {}),
  }
}

/** A key of this column alone; a view only if there is no table. */
function foreignKey(column: Column, relationships: Relationship[]): string[] {
  const found = relationships
    .flatMap((each) => {
      const ownsKey = each.kind === 'many-to-one' || (each.kind === 'one-to-one' && each.ownsKey)
      if (!ownsKey || each.columns.length !== 1) return []
      const [pair] = each.columns
      return pair?.[0] === column.name ? [{ ...each, target: pair[1] }] : []
    })
    .sort((one, other) => Number(one.toIsView) - Number(other.toIsView))[0]
  if (!found) return []
  const { name } = found.to
  return [
    `This is a Foreign Key to \`${name}.${found.target}\`.<fk table='${name}' column='${found.target}'/>`,
  ]
}

export function describeTablePath(table: Table): object {
  const filters = [...table.columns.keys()].map((column) => `rowFilter.${table.name}.${column}`)
  const operation = (parameters: object[], responses: object) => ({
    ...summaryOf(table.description),
    tags: [table.name],
    parameters,
    responses,
  })
  const body = ref(`body.${table.name}`)
  const list = {
    description: 'OK',
    schema: { type: 'array', items: { $ref: `#/definitions/${table.name}` } },
  }
  const get = operation(
    refs(...filters, 'select', 'order', 'range', 'rangeUnit', 'offset', 'limit', 'preferCount'),
    { 200: list, 206: { description: 'Partial Content' } },
  )
  if (!table.insertable && !table.updatable && !table.deletable) return { get }
  const none = { 204: { description: 'No Content' } }
  return {
    get,
    post: operation([body, ...refs('select', 'preferPost')], { 201: { description: 'Created' } }),
    patch: operation([...refs(...filters), body, ref('preferReturn')], none),
    delete: operation([...refs(...filters), ref('preferReturn')], none),
  }
}

export function tableParameters(table: Table): Record<string, object> {
  const filters = [...table.columns.values()].map(({ name, description }) => [
    `rowFilter.${table.name}.${name}`,
    {
      name,
      ...(description === null ? {} : { description }),
      required: false,
      in: 'query',
      type: 'string',
    },
  ])
  return {
    [`body.${table.name}`]: {
      name: table.name,
      description: table.name,
      required: false,
      in: 'body',
      schema: { $ref: `#/definitions/${table.name}` },
    },
    ...(Object.fromEntries(filters) as Record<string, object>),
  }
}
