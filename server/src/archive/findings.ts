import type { Finding } from './check-chain.ts'

export type Findings = {
  /** The first of them, in words. */
  named: string[]
  /** How many there are. */
  count: number
}

const MOST_NAMED = 100

export const noFindings = (): Findings => ({ named: [], count: 0 })

export function addFinding(findings: Findings, { what }: Finding) {
  addFindings(findings, { named: [what], count: 1 })
}

export function addFindings(findings: Findings, more: Findings) {
  findings.named.push(...more.named.slice(0, MOST_NAMED - findings.named.length))
  findings.count += more.count
}
