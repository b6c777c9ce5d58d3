import type { ReactNode } from 'react'

type EmptyStateProps = {
  /** A picture: a lucide icon or an own drawing. */
  picture: ReactNode
  title: string
  text?: string
  /** The whole screen is this, so its title is the screen's. */
  isPageTitle?: boolean
  /** The next step, usually a button. */
  action?: ReactNode
}

/** Nothing here yet, said kindly and with a way on. */
export function EmptyState({ picture, title, text, action, isPageTitle }: EmptyStateProps) {
  const Title = isPageTitle ? 'h1' : 'h2'
  return (
    <div className="grid justify-items-center gap-2 px-6 py-12 text-center">
      <div
        aria-hidden="true"
        className="mb-2 grid size-20 place-items-center rounded-full bg-tint text-primary [&_svg]:size-9"
      >
        {picture}
      </div>
      <Title className="text-lead font-bold">{title}</Title>
      {text && <p className="max-w-xs text-muted">{text}</p>}
      {action && <div className="mt-3">{action}</div>}
    </div>
  )
}
