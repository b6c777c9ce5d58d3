import type { ReactNode } from 'react'
import { Link, type LinkProps } from 'react-router'
import { classNames } from './class-names.ts'

type FigureProps = {
  label: string
  /** A count, or a few words. */
  figure: ReactNode
  /** A line below, such as what the figure is about. */
  detail?: string | undefined
  /** Words stand back behind counts. */
  isWords?: boolean
  /** Somebody should do something about it. */
  isPressing?: boolean
}

const LOOK =
  'grid min-h-24 content-between gap-1 rounded-card border border-line bg-card p-4 text-left shadow-card transition hover:bg-tint active:scale-99'

/** Tiles side by side, as many as fit. */
export const FIGURES_LOOK =
  'grid grid-cols-[repeat(auto-fit,minmax(min(100%,8rem),1fr))] gap-2.5 lg:grid-cols-4'

/** A figure that leads to what it counts. */
export function FigureLink({
  label,
  figure,
  detail,
  isWords,
  isPressing,
  ...link
}: FigureProps & LinkProps) {
  return (
    <Link {...link} className={LOOK}>
      <Figure {...{ label, figure, detail, isWords, isPressing }} />
    </Link>
  )
}

function Figure({
  label,
  figure,
  detail,
  isWords,
  isPressing,
}: { [Key in keyof FigureProps]: FigureProps[Key] | undefined }) {
  return (
    <>
      <span className="text-small text-muted">{label}</span>{' '}
      <span className="min-w-0">
        <span
          className={classNames(
            'block break-words tabular-nums',
            isWords ? 'text-lead font-semibold' : 'text-figure font-bold',
            isPressing && 'text-danger-text',
          )}
        >
          {figure}
        </span>{' '}
        {detail && <span className="block truncate text-note text-muted">{detail}</span>}
      </span>
    </>
  )
}
