// Turns the differences between two catalogs into statements, as far as possible without knowing what should happen to
// existing rows.
import type { Difference } from './compare-catalogues.ts'
import type { Statement } from './split-statements.ts'

/** A statement that removes one difference; `otherwise` is tried when Postgres refuses it. */
export type Step = { difference: Difference; sql: string; otherwise?: string }

// Objects that others depend on are dropped last.
const DROPS = ['policy', 'trigger', 'view', 'constraint', 'index', 'function', 'column', 'table']

/**
 * Statements that remove these differences: drops, then columns, then new and changed objects in schema file order, then
 * the rest. Parts of an object that is created or dropped here are left to the next comparison.
 */
export function planMigration(differences: Difference[], schema: Statement[]): Step[] {
  const replaced = new Set(
    differences
      .filter(({ wanted, found }) => wanted === undefined || found === undefined)
      .filter(({ kind }) => ['table', 'view', 'function'].includes(kind))
      .map(({ name }) => name),
  )
  const steps = differences
    .filter(({ parent, kind, wanted }) => {
      if (!parent || !replaced.has(parent)) return true
      return wanted !== undefined && ['policy', 'trigger', 'index'].includes(kind)
    })
    .flatMap((difference) => {
      const step = planStep(difference, schema)
      return step ? [{ difference, ...step, place: place(difference, schema) }] : []
    })
  return steps
    .sort((a, b) => a.place - b.place)
    .map(({ difference, sql, otherwise }) =>
      otherwise ? { difference, sql, otherwise } : { difference, sql },
    )
}

function place(difference: Difference, schema: Statement[]): number {
  const { kind, wanted } = difference
  if (wanted === undefined) return DROPS.indexOf(kind) - 100
  if (kind === 'column') return -1
  const index = schema.findIndex((statement) => isDefinition(statement, difference))
  return index < 0 ? schema.length : index
}

function isDefinition({ creates }: Statement, { kind, name, parent }: Difference): boolean {
  if (creates?.kind !== kind || (creates.parent !== null && creates.parent !== parent)) return false
  // In the catalog a function's name includes its arguments, an index's its schema.
  if (kind === 'function') return name.startsWith(`${creates.name}(`)
  return kind === 'index' ? name.endsWith(`.${creates.name}`) : name === creates.name
}

type Plan = Omit<Step, 'difference'> | null

function planStep(difference: Difference, schema: Statement[]): Plan {
  const { kind, name, parent, wanted, found } = difference
  const text = schema.find((statement) => isDefinition(statement, difference))?.text
  const drop = dropOf(difference)
  switch (kind) {
    case 'function':
    case 'view':
    case 'trigger': {
      const create = text ?? (kind === 'view' || wanted === undefined ? undefined : `${wanted};`)
      if (wanted === undefined || !create) return wanted === undefined ? { sql: drop } : null
      if (found === undefined) return { sql: create }
      const replace = create.replace(/^create (or replace )?/i, 'create or replace ')
      return { sql: replace, otherwise: `${drop}\n${create}` }
    }
    case 'policy':
    case 'index':
    case 'constraint': {
      const create = text ?? createOf(difference)
      if (wanted === undefined) return { sql: drop }
      return { sql: found === undefined ? create : `${drop}\n${create}` }
    }
    case 'table':
      if (wanted === undefined) return { sql: drop }
      return text && found === undefined ? { sql: text } : null
    case 'extension':
    case 'schema':
    case 'type':
      return text && found === undefined ? { sql: text } : null
    case 'column':
      return planColumn(difference)
    case 'row level security':
      if (wanted && wanted !== 'enabled') return null
      return { sql: `alter table ${name} ${wanted ? 'enable' : 'disable'} row level security;` }
    case 'view default':
      return {
        sql: `alter view ${parent} alter column ${name} ${wanted ? `set default ${wanted}` : 'drop default'};`,
      }
    case 'comment':
      return { sql: `comment on ${sqlOfCommented(name)} is ${wanted ? quote(wanted) : 'null'};` }
    case 'grant': {
      const revoke = `revoke ${name.replace(/ to (\S+)$/, ' from $1')};`
      const grant = `grant ${name}${wanted ? ` ${wanted}` : ''};`
      if (wanted === undefined) return { sql: revoke }
      return { sql: found === undefined ? grant : `${revoke}\n${grant}` }
    }
    default:
      return null
  }
}

function dropOf({ kind, name, parent }: Difference): string {
  if (kind === 'policy' || kind === 'trigger') return `drop ${kind} ${name} on ${parent};`
  if (kind === 'constraint') return `alter table ${parent} drop constraint ${name};`
  return `drop ${kind} ${name};`
}

function createOf({ kind, name, parent, wanted }: Difference): string {
  if (kind === 'policy') return `create policy ${name} on ${parent}${wanted};`
  if (kind === 'constraint') return `alter table ${parent} add constraint ${name} ${wanted};`
  return `${wanted};`
}

/** `table column public.chats.name`, as Postgres identifies it, is `column public.chats.name` in SQL. */
const sqlOfCommented = (identity: string) => identity.replace(/^table (column|constraint) /, '$1 ')

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`

const COLUMN = /^(?<type>.+?)(?: default (?<value>.+?))?(?<required> not null)?$/s

function planColumn({ name, parent, wanted, found }: Difference): Plan {
  const table = `alter table ${parent}`
  if (wanted === undefined) return { sql: `${table} drop column ${name};` }
  if (found === undefined) return { sql: `${table} add column ${name} ${wanted};` }
  if (/\bgenerated\b/.test(wanted + found)) return null
  const to = COLUMN.exec(wanted)?.groups ?? {}
  const from = COLUMN.exec(found)?.groups ?? {}
  const changes: string[] = []
  if (to.type !== from.type) changes.push(`type ${to.type}`)
  if (to.value !== from.value) changes.push(to.value ? `set default ${to.value}` : 'drop default')
  if (to.required !== from.required) changes.push(to.required ? 'set not null' : 'drop not null')
  return { sql: changes.map((change) => `${table} alter column ${name} ${change};`).join('\n') }
}
