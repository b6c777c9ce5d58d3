import type { ReactNode } from 'react'

const TONES = {
  primary: 'bg-tint text-primary',
  danger: 'bg-danger-tint text-danger-text',
  /** What is over. */
  quiet: 'bg-surface text-muted',
}

/** A short label in a pill, such as a category. */
export function Chip({
  children,
  tone = 'primary',
}: {
  children: ReactNode
  tone?: keyof typeof TONES
}) {
  return (
    <span
      className={`inline-flex items-center gap-1.5 rounded-full px-3 py-1 text-note font-semibold ${TONES[tone]}`}
    >
      {children}
    </span>
  )
}
