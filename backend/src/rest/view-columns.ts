// Which column of which table a view's column shows. Postgres keeps that in the stored query of the view, in the text
// form of its parse tree, and nowhere else. Each result column is a TARGETENTRY that names its origin.

export type Origin = { table: number; column: number }

/** The origins of a view's columns by the column's number; computed columns have none. */
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

/** The text of each entry in the outermost query's target list, without what is nested inside the entry. */
function* topLevelTargets(definition: string): Generator<string> {
  // ({QUERY … :targetList ({TARGETENTRY …} {TARGETENTRY …}) …}): entries stand at depth 4, their own text too.
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
