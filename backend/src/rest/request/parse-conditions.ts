// `or=(a.eq.1,and(b.gt.2,not.or(c.is.null,d.in.(1,2))))`: trees of filters.
import { LIMITS } from '#rest/limits.ts'
import { parseJsonPath, parseName, tryName } from './parse-field.ts'
import { readOperation, readValueInTree } from './parse-filter.ts'
import type { At, Condition, ConditionTree } from './request-types.ts'
import { Scanner } from './scanner.ts'
import type { ValueList } from './value-list.ts'

/** @param key `or`, `not.and`, `embed.or`, `embed.not.or` */
export function parseTreeAt(key: string, text: string, values: ValueList): At<ConditionTree> {
  const keyScanner = new Scanner(key, 'logic path')
  const names = [parseName(keyScanner)]
  while (keyScanner.take('.')) names.push(parseName(keyScanner))
  if (!keyScanner.atEnd) keyScanner.fail('delimiter (.)')
  const operator = names.pop() === 'and' ? 'and' : 'or'
  const negated = names.includes('not')
  // Positions count from the operator: `or(…)`, `not.or(…)`.
  const scanner = new Scanner(text, 'logic tree', operator.length + (negated ? 'not.'.length : 0))
  const branches = parseBranches(scanner, values)
  if (!scanner.atEnd) scanner.fail('end of input')
  return {
    path: names.filter((name) => name !== 'not'),
    what: { kind: 'tree', negated, operator, branches },
  }
}

function parseBranches(scanner: Scanner, values: ValueList): Condition[] {
  return scanner.nested(() => {
    scanner.skipBlanks()
    scanner.expect('(')
    const branches: Condition[] = []
    do {
      scanner.skipBlanks()
      branches.push(parseBranch(scanner, values))
      scanner.skipBlanks()
    } while (scanner.take(','))
    scanner.expect(')')
    scanner.skipBlanks()
    return branches
  })
}

const TREE_HEAD = /(?:not\.)?(?:and|or)(?=\s*\()/y

function parseBranch(scanner: Scanner, values: ValueList): Condition {
  const head = scanner.match(TREE_HEAD)
  if (head) {
    return {
      kind: 'tree',
      negated: head.startsWith('not.'),
      operator: head.endsWith('and') ? 'and' : 'or',
      branches: parseBranches(scanner, values),
    }
  }
  scanner.count('filters', LIMITS.filters)
  const name =
    tryName(scanner) ??
    scanner.fail(
      'field name (* or [a..z0..9_$]), negation operator (not) or logic operator (and, or)',
    )
  const field = { name, path: parseJsonPath(scanner) }
  scanner.skipBlanks()
  if (!scanner.take('.')) scanner.fail('delimiter (.)')
  return { kind: 'filter', field, ...readOperation(scanner, values, readValueInTree) }
}
