import { ChevronLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { m } from '#lib/messages/messages.js'

type PageHeaderProps = {
  title: ReactNode
  subtitle?: ReactNode
  /** Target of the back arrow: a path or a callback. Without it there is no arrow. */
  back?: string | (() => void)
  /** Icon buttons on the right. */
  actions?: ReactNode
  /** Shown next to a screen that already has the page's heading. */
  isSecondary?: boolean
}

/** State of the history entry that the arrow makes: the screen shows where one was on it. */
export type ReturnState = { isReturn: true }
const RETURN: ReturnState = { isReturn: true }

const ARROW = 'grid size-11 -ml-3 flex-none place-items-center rounded-field hover:bg-tint'

/** The screen's title, with a back arrow. */
export function PageHeader({ title, subtitle, back, actions, isSecondary }: PageHeaderProps) {
  const Title = isSecondary ? 'h2' : 'h1'
  return (
    <header className="flex min-h-17 flex-none flex-wrap items-center gap-2 py-3">
      {typeof back === 'string' && (
        <Link to={back} state={RETURN} aria-label={m.ui_back()} className={ARROW}>
          <ChevronLeft className="size-6" />
        </Link>
      )}
      {typeof back === 'function' && (
        <button type="button" onClick={back} aria-label={m.ui_back()} className={ARROW}>
          <ChevronLeft className="size-6" />
        </button>
      )}
      {/* Large text takes the actions' place, which then go below: no word breaks because of them. */}
      <div className="max-w-full min-w-20 flex-1 basis-[min-content]">
        <Title className="text-title font-bold break-words">{title}</Title>
        {subtitle && <p className="text-small text-muted">{subtitle}</p>}
      </div>
      {actions && <div className="ml-auto flex flex-none items-center gap-2">{actions}</div>}
    </header>
  )
}
