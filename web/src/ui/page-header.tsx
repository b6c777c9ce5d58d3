import { ChevronLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { m } from '#lib/messages/messages.js'

type PageHeaderProps = {
  title: ReactNode
  subtitle?: ReactNode
  /** Where the arrow leads: a path, or what to do. Without it there is no arrow. */
  back?: string | (() => void)
  /** Icon buttons at the right. */
  actions?: ReactNode
  /** It stands beside the screen whose title is the page's. */
  isBeside?: boolean
}

const ARROW = 'grid size-11 -ml-3 flex-none place-items-center rounded-field hover:bg-tint'

/** The screen's title, with a way back. */
export function PageHeader({ title, subtitle, back, actions, isBeside }: PageHeaderProps) {
  const Title = isBeside ? 'h2' : 'h1'
  return (
    <header className="flex min-h-17 items-center gap-2 py-3">
      {typeof back === 'string' && (
        <Link to={back} aria-label={m.ui_back()} className={ARROW}>
          <ChevronLeft className="size-6" />
        </Link>
      )}
      {typeof back === 'function' && (
        <button type="button" onClick={back} aria-label={m.ui_back()} className={ARROW}>
          <ChevronLeft className="size-6" />
        </button>
      )}
      <div className="min-w-0 flex-1">
        <Title className="text-title font-bold break-words">{title}</Title>
        {subtitle && <p className="text-small text-muted">{subtitle}</p>}
      </div>
      {actions && <div className="flex flex-none items-center gap-2">{actions}</div>}
    </header>
  )
}
