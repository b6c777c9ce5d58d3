// Parses the tables of docs/rights.md, so that page and test cannot drift apart.
import { readFileSync } from 'node:fs'
import { ROLES, type Role } from './rights-scene.ts'

const PAGE = new URL('../../docs/rights.md', import.meta.url)

export type Right = { section: string; action: string; role: Role; allowed: boolean }

/** Every cell of the page. @throws when a table has other columns or a cell is neither ✓ nor – */
export function readRights(page = readFileSync(PAGE, 'utf8')): Right[] {
  let section = ''
  const rights: Right[] = []
  for (const line of page.split('\n')) {
    section = /^## (.+)/.exec(line)?.[1] ?? section
    const [action, ...cells] = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim())
    if (action === 'Action' && cells.join() !== ROLES.join())
      throw new Error(`${section}: the columns are ${cells.join()}`)
    if (!action || action === 'Action' || cells.length !== ROLES.length) continue
    if (/^-+$/.test(action)) continue
    ROLES.forEach((role, index) => {
      const cell = cells[index]
      if (cell !== '✓' && cell !== '–')
        throw new Error(`${section}: ${action}, ${role}: neither ✓ nor –`)
      rights.push({ section, action, role, allowed: cell === '✓' })
    })
  }
  return rights
}
