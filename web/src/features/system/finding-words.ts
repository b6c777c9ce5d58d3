import { m } from '#lib/messages/messages.js'
import { ADVICE } from './finding-advice.ts'
import { figuresOf } from './finding-figures.ts'
import { SENTENCES } from './finding-sentences.ts'
import { nameOfPart } from './part-names.ts'
import type { Finding } from './system-queries.ts'

/** Channels, and disks, have their sentences in common. */
const FAMILIES: Record<string, string> = {
  push_web: 'push',
  push_fcm: 'push',
  push_apns: 'push',
  disk_data: 'disk',
  disk_backup: 'disk',
}

/** Found on a machine, which is named where there are several. */
const ON_MACHINES = ['process', 'database', 'clock', 'disk_data', 'disk_backup']

// A time of day ends with a full stop in Spanish (“p. m.”), and so may the sentence.
const TWO_STOPS = /\.\.(?=\s|$)/g

function fullName(part: string, scope: string | null, number: number): string {
  const name = number ? `${nameOfPart(part)} ${number}` : nameOfPart(part)
  if (!scope) return name
  return ON_MACHINES.includes(part)
    ? m.system_on_machine({ name, machine: scope })
    : `${name}: ${scope}`
}

export type FindingWords = { name: string; sentence: string; advice: string | null }

/** A finding in the reader's language; one that only a newer server knows shows its code. */
export function wordsOf(finding: Finding): FindingWords {
  const { part, code, scope, state } = finding
  const key = `${FAMILIES[part] ?? part} ${code}`
  const figures = figuresOf(finding)
  const needsYou = state === 'wrong' || state === 'attention'
  return {
    name: fullName(part, scope, figures.figure('number')),
    sentence: SENTENCES[key]?.(figures).trim().replaceAll(TWO_STOPS, '.') ?? code,
    advice: (needsYou && ADVICE[key]?.(figures)) || null,
  }
}
