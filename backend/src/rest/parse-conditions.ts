// `or=(a.eq.1,and(b.gt.2,not.or(c.is.null,d.in.(1,2))))`: trees of filters.
import { parseField, parseName } from './parse-field.ts'
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
  const scanner = new Scanner(text, 'logic tree')
  const branches = parseBranches(scanner, values)
  if (!scanner.atEnd) scanner.fail('end of input')
  return {
    path: names.filter((name) => name !== 'not'),
    what: { kind: 'tree', negated: names.includes('not'), operator, branches },
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
  const field = parseField(scanner)
  if (!scanner.take('.')) scanner.fail('delimiter (.)')
  return { kind: 'filter', field, ...readOperation(scanner, values, readValueInTree) }
}
