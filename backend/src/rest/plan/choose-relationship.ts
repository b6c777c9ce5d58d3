// Resolves an embedded resource to a relationship: by the name of the table, the foreign key or its column,
// disambiguated by a hint.
import { restErrors } from '#rest/errors.ts'
import {
  keyOf,
  type ColumnPair,
  type Relationship,
  type Schema,
} from '#rest/schema-cache/schema-types.ts'
import { suggest } from './suggest.ts'

type Wanted = { schema: string; origin: string; target: string; hint: string | null }

export function chooseRelationship(schema: Schema, wanted: Wanted): Relationship {
  const candidates = schema.relationships
    .of(keyOf(wanted.schema, wanted.origin))
    .filter((candidate) => candidate.to.schema === wanted.schema)
  const found = candidates.filter((candidate) => matches(candidate, wanted))
  const [first, ...others] = found
  if (!first) throw noRelationship(schema, wanted, candidates)
  // A computed relationship was written on purpose, so it overrides a foreign key of the same name.
  const computed = found.find((candidate) => candidate.kind === 'computed')
  if (computed) return computed
  if (others.length > 0) throw ambiguous(wanted, found.sort(compareRelationships))
  return first
}

function matches(candidate: Relationship, { target, hint }: Wanted): boolean {
  if (candidate.kind === 'computed') return candidate.function.name === target
  const named = candidate.to.name === target
  if (candidate.isSelf) return matchesSelfReference(candidate, named, target, hint)
  if (hint === null) {
    return (
      named ||
      (!candidate.toIsView &&
        (constraintOf(candidate) === target || ownColumn(candidate) === target))
    )
  }
  return (
    named &&
    (constraintOf(candidate) === hint ||
      ownColumn(candidate) === hint ||
      otherColumn(candidate) === hint ||
      (candidate.kind === 'many-to-many' && candidate.junction.name === hint))
  )
}

/** For a self-reference, the table's name selects the children and the column's name the parent. */
function matchesSelfReference(
  candidate: Relationship,
  named: boolean,
  target: string,
  hint: string | null,
): boolean {
  const { kind } = candidate
  if (hint === null) {
    return named
      ? kind === 'one-to-many'
      : kind !== 'one-to-many' && ownColumn(candidate) === target
  }
  if (!named) return false
  if (kind === 'one-to-many') return otherColumn(candidate) === hint
  return kind === 'many-to-many'
    ? candidate.junction.name === hint
    : kind === 'one-to-one' && ownColumn(candidate) === hint
}

function constraintOf(candidate: Relationship): string | null {
  return 'constraint' in candidate ? candidate.constraint : null
}

/** A key can only be selected by its column if it has a single one. */
function onlyPair(candidate: Relationship): ColumnPair | null {
  if (!('columns' in candidate) || candidate.columns.length !== 1) return null
  return candidate.columns[0] ?? null
}

function ownColumn(candidate: Relationship): string | null {
  return onlyPair(candidate)?.[0] ?? null
}

function otherColumn(candidate: Relationship): string | null {
  return onlyPair(candidate)?.[1] ?? null
}

function noRelationship(schema: Schema, wanted: Wanted, candidates: Relationship[]) {
  const { origin, target, hint } = wanted
  const using = hint === null ? '' : ` using the hint '${hint}'`
  return restErrors.noRelationship({
    message: `Could not find a relationship between '${origin}' and '${target}' in the schema cache`,
    details: `Searched for a foreign key relationship between '${origin}' and '${target}'${using} in the schema '${wanted.schema}', but no matches were found.`,
    hint: hintForMissing(schema, wanted, candidates),
  })
}

function hintForMissing(
  schema: Schema,
  { schema: name, origin, target }: Wanted,
  candidates: Relationship[],
) {
  const origins = [...schema.relationships.tables()]
  if (origins.includes(keyOf(name, origin))) {
    const names = candidates.map((candidate) => candidate.to.name)
    const child = names.includes(target) ? null : suggest(target, names)
    return child && `Perhaps you meant '${child}' instead of '${target}'.`
  }
  const prefix = keyOf(name, '')
  const names = origins.flatMap((key) => (key.startsWith(prefix) ? [key.slice(prefix.length)] : []))
  const parent = suggest(origin, names)
  return parent && `Perhaps you meant '${parent}' instead of '${origin}'.`
}

const KINDS = ['one-to-many', 'many-to-one', 'one-to-one', 'many-to-many', 'computed']

/** The order in which PostgREST lists candidates: by kind, then by names. */
function compareRelationships(one: Relationship, other: Relationship): number {
  if (one.kind !== other.kind) return KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind)
  const [first, second] = [describeKeys(one), describeKeys(other)]
  return first < second ? -1 : Number(first > second)
}

function ambiguous({ origin, target }: Wanted, found: Relationship[]) {
  const hints = found.map((candidate) => `'${candidate.to.name}!${hintOf(candidate)}'`)
  return restErrors.ambiguousRelationship(
    `Could not embed because more than one relationship was found for '${origin}' and '${target}'`,
    found.map(describe),
    `Try changing '${target}' to one of the following: ${hints.join(', ')}. Find the desired relationship in the 'details' key.`,
  )
}

function hintOf(candidate: Relationship): string {
  if (candidate.kind === 'many-to-many') return candidate.junction.name
  return candidate.kind === 'computed' ? candidate.function.name : candidate.constraint
}

function describe(candidate: Relationship) {
  return {
    cardinality: candidate.kind,
    embedding: `${candidate.from.name} with ${candidate.to.name}`,
    relationship: describeKeys(candidate),
  }
}

function describeKeys(candidate: Relationship): string {
  const list = (pairs: ColumnPair[], side: 0 | 1) =>
    `(${pairs.map((pair) => pair[side]).join(', ')})`
  if (candidate.kind === 'computed') return candidate.function.name
  if (candidate.kind === 'many-to-many') {
    const { name, sourceConstraint, source, targetConstraint, target } = candidate.junction
    return `${name} using ${sourceConstraint}${list(source, 1)} and ${targetConstraint}${list(target, 1)}`
  }
  const { constraint, from, to, columns } = candidate
  return `${constraint} using ${from.name}${list(columns, 0)} and ${to.name}${list(columns, 1)}`
}
