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
}

const LOOK =
  'grid min-h-24 content-between gap-1 rounded-card border border-line bg-card p-4 text-left shadow-card transition hover:bg-tint active:scale-99'

/** A figure that leads to what it counts. */
export function FigureLink({ label, figure, detail, isWords, ...link }: FigureProps & LinkProps) {
  return (
    <Link {...link} className={LOOK}>
      <span className="text-small text-muted">{label}</span>{' '}
      <span className="min-w-0">
        <span
          className={classNames(
            'block break-words tabular-nums',
            isWords ? 'text-lead font-semibold' : 'text-figure font-bold',
          )}
        >
          {figure}
        </span>{' '}
        {detail && <span className="block truncate text-note text-muted">{detail}</span>}
      </span>
    </Link>
  )
}
