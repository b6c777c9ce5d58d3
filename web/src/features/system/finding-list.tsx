import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { m } from '#lib/messages/messages.js'
import { Card } from '#ui/card.tsx'
import { Chip } from '#ui/chip.tsx'
import { wordsOf } from './finding-words.ts'
import { keyOf, type Finding } from './system-queries.ts'

/** Something that is wrong or needs attention, and what to do. */
export function FindingCard({ finding }: { finding: Finding }) {
  const { name, sentence, advice } = wordsOf(finding)
  const isWrong = finding.state === 'wrong'
  return (
    <Card className="grid h-full grid-cols-1 content-start gap-3">
      <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
        <h2 className="min-w-0 font-semibold wrap-anywhere">{name}</h2>
        <Chip tone={isWrong ? 'danger' : 'primary'}>
          {isWrong ? m.system_wrong() : m.system_attention()}
        </Chip>
      </div>
      <p className="wrap-anywhere">{sentence}</p>
      {advice && (
        <div>
          <h3 className="text-note font-semibold text-muted">{m.system_what_to_do()}</h3>
          <p className="text-small wrap-anywhere">{advice}</p>
        </div>
      )}
    </Card>
  )
}

/** The line that is always shown of what is folded. Its `details` is the group. */
export function FoldSummary({ children }: { children: ReactNode }) {
  return (
    <summary className="flex min-h-target cursor-pointer items-center justify-between gap-3 font-semibold">
      {children}
      <ChevronDown
        aria-hidden="true"
        className="size-5 flex-none text-muted transition group-open:rotate-180"
      />
    </summary>
  )
}

/** What nobody has to look at, folded. */
export function FineList({ findings }: { findings: Finding[] }) {
  if (findings.length === 0) return null
  return (
    <details className="group rounded-card border border-line bg-card px-4 py-1 shadow-card">
      <FoldSummary>{m.system_fine({ count: findings.length })}</FoldSummary>
      <Lines findings={findings} />
    </details>
  )
}

/** What this installation cannot know, and where to look instead. */
export function UnwatchedList({ findings }: { findings: Finding[] }) {
  if (findings.length === 0) return null
  return (
    <Card>
      <h2 className="font-semibold">{m.system_unwatched()}</h2>
      <Lines findings={findings} />
    </Card>
  )
}

function Lines({ findings }: { findings: Finding[] }) {
  return (
    <dl className="grid grid-cols-1 gap-x-6 gap-y-3 py-3 lg:grid-cols-2">
      {findings.map((finding) => {
        const { name, sentence } = wordsOf(finding)
        return (
          <div key={keyOf(finding)}>
            <dt className="text-small font-semibold wrap-anywhere">{name}</dt>
            <dd className="text-small text-muted wrap-anywhere">{sentence}</dd>
          </div>
        )
      })}
    </dl>
  )
}
