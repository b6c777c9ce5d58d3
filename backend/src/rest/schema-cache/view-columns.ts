// Traces a view's columns to their table columns. Postgres stores this only in the view's rewrite rule, in the text form
// of the parse tree, where each result column is a TARGETENTRY with its origin.

export type Origin = { table: number; column: number }

/** For each view, the table columns behind its columns, through views over views. */
export type Origins = Map<number, Map<number, Origin>>

export function resolveOrigins(views: { view: number; definition: string }[]): Origins {
  const direct: Origins = new Map(
    views.map(({ view, definition }) => [view, viewColumnOrigins(definition)]),
  )
  return new Map(
    [...direct].map(([view, columns]) => [
      view,
      new Map([...columns].map(([number, origin]) => [number, follow(origin, direct)])),
    ]),
  )
}

/** A view can select from itself; its columns have no table. */
function follow(first: Origin, direct: Origins): Origin {
  const passed = new Set<number>()
  let origin = first
  for (;;) {
    const deeper = passed.has(origin.table) ? null : direct.get(origin.table)?.get(origin.column)
    if (!deeper) return origin
    passed.add(origin.table)
    origin = deeper
  }
}

/** The origins of a view's columns by column number; expressions have none. */
export function viewColumnOrigins(definition: string): Map<number, Origin> {
  const origins = new Map<number, Origin>()
  for (const entry of topLevelTargets(definition)) {
    const table = Number(/:resorigtbl (\d+)/.exec(entry)?.[1] ?? 0)
    const column = Number(/:resorigcol (\d+)/.exec(entry)?.[1] ?? 0)
    const number = Number(/:resno (\d+)/.exec(entry)?.[1] ?? 0)
    if (table > 0 && column > 0 && / :resjunk false/.test(entry))
      origins.set(number, { table, column })
  }
  return origins
}

/** The text of each entry in the top-level query's target list, without anything nested in it. */
function* topLevelTargets(definition: string): Generator<string> {
  // ({QUERY … :targetList ({TARGETENTRY …} {TARGETENTRY …}) …}): entries and their own text are at depth 4.
  const LIST_DEPTH = 3
  let depth = 0
  let inList = false
  let entry = ''
  for (let index = 0; index < definition.length; index++) {
    const character = definition.charAt(index)
    if (character === '\\') {
      index++
    } else if (character === '(' || character === '{') {
      depth++
      if (depth === LIST_DEPTH && definition.slice(index - 12, index) === ':targetList ')
        inList = true
    } else if (character === ')' || character === '}') {
      if (inList && depth === LIST_DEPTH + 1) {
        yield entry
        entry = ''
      }
      if (inList && depth === LIST_DEPTH) return
      depth--
    } else if (inList && depth === LIST_DEPTH + 1) {
      entry += character
    }
  }
}
