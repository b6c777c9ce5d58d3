// Resolves a call to a function. Overloads are distinguished by their argument names.
import { restErrors } from '#rest/errors.ts'
import { keyOf, type Routine, type Schema } from '#rest/schema-cache/schema-types.ts'
import { MIN_NAME_SIMILARITY, suggest } from './suggest.ts'

type Wanted = {
  schema: string
  name: string
  /** Names of the arguments, sorted. */
  keys: string[]
  contentType: string
  isPost: boolean
}

const UNNAMED_TYPES: Record<string, readonly string[]> = {
  'application/json': ['json', 'jsonb'],
  'text/plain': ['text'],
  'text/xml': ['xml'],
  'application/octet-stream': ['bytea'],
}
const RAW = ['text/plain', 'text/xml', 'application/octet-stream']

export function chooseFunction(schema: Schema, wanted: Wanted): Routine {
  const named = schema.routines.get(keyOf(wanted.schema, wanted.name)) ?? []
  const matching = named.filter((routine) => matchesArguments(routine, wanted))
  const candidates =
    matching.length > 0 ? matching : named.filter((routine) => takesBody(routine, wanted))
  const [first, ...others] = candidates
  if (!first) throw noFunction(schema, wanted, named)
  if (others.length > 0) {
    throw restErrors.ambiguousFunction(candidates.sort(compareRoutines).map(signature))
  }
  return first
}

function matchesArguments({ parameters }: Routine, { keys, isPost, contentType }: Wanted): boolean {
  if (parameters.length === 0) return keys.length === 0 && !(isPost && RAW.includes(contentType))
  const names = parameters.map((parameter) => parameter.name)
  // The empty name stands for an unnamed parameter, which takes the whole body.
  if (keys.includes('') && !(isPost && contentType === 'application/json')) return false
  return (
    keys.every((key) => names.includes(key)) &&
    parameters.every((parameter) => !parameter.required || keys.includes(parameter.name))
  )
}

/** Whether a function's single unnamed parameter takes the raw body. */
export function takesBody(
  { parameters }: Routine,
  { isPost, contentType }: Pick<Wanted, 'isPost' | 'contentType'>,
): boolean {
  const [only, ...more] = parameters
  if (!isPost || !only || only.name !== '' || more.length > 0) return false
  return (UNNAMED_TYPES[contentType] ?? []).includes(only.type)
}

/** The order in which PostgREST lists candidates. */
function compareRoutines(one: Routine, other: Routine): number {
  if (one.parameters.length !== other.parameters.length)
    return one.parameters.length - other.parameters.length
  const [first, second] = [signature(one), signature(other)]
  return first < second ? -1 : Number(first > second)
}

function signature({ schema, name, parameters }: Routine): string {
  return `${schema}.${name}(${parameters.map((parameter) => `${parameter.name} => ${parameter.type}`).join(', ')})`
}

function noFunction(schema: Schema, wanted: Wanted, named: Routine[]) {
  const { keys, contentType, isPost } = wanted
  const name = `${wanted.schema}.${wanted.name}`
  const raw = isPost && RAW.includes(contentType)
  const list = keys.join(', ')
  const without = keys.length === 0 ? ' without parameters' : null
  const searched = raw
    ? ` with a single unnamed ${UNNAMED_TYPES[contentType]?.[0]} parameter`
    : (without ?? ` with parameter${keys.length > 1 ? 's' : ''} ${list}`) +
      (isPost && contentType === 'application/json'
        ? ' or with a single unnamed json/jsonb parameter'
        : '')
  return restErrors.noFunction({
    message: `Could not find the function ${name}${raw ? '' : (without ?? `(${list})`)} in the schema cache`,
    details: `Searched for the function ${name}${searched}, but no matches were found in the schema cache.`,
    hint: raw ? null : hint(schema, wanted, named),
  })
}

function hint(schema: Schema, wanted: Wanted, named: Routine[]): string | null {
  const suggestion =
    named.length === 0
      ? suggest(wanted.name, namesIn(schema, wanted.schema), MIN_NAME_SIMILARITY)
      : suggest(`(${wanted.keys.join(', ')})`, named.map(parameterList))
  if (suggestion === null) return null
  const name = named.length === 0 ? suggestion : wanted.name + suggestion
  return `Perhaps you meant to call the function ${wanted.schema}.${name}`
}

function namesIn(schema: Schema, name: string): string[] {
  return [...schema.routines.values()].flatMap(([first]) =>
    first?.schema === name ? [first.name] : [],
  )
}

function parameterList({ parameters }: Routine): string {
  return `(${parameters
    .map((parameter) => parameter.name)
    .sort()
    .join(', ')})`
}
