import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { PullToRefresh } from './pull-to-refresh.tsx'

type ScreenProps = {
  children: ReactNode
  /** The screen's PageHeader. */
  header?: ReactNode
  /** Uses the full width of a large display instead of one narrow column. */
  wide?: boolean
  /** Tables that pull-to-refresh refetches; pass a constant, not a new array on every render. */
  refreshes?: readonly string[]
}

/** One column of up to 640 px: the screen's header and content. */
export function Screen({ header, children, wide, refreshes }: ScreenProps) {
  return (
    <div
      className={classNames(
        'mx-auto flex w-full flex-col px-page pt-safe pb-8 lg:pt-4',
        wide ? 'max-w-wide' : 'max-w-column',
      )}
    >
      {refreshes && <PullToRefresh tables={refreshes} />}
      {header}
      <div className="flex animate-appear flex-col gap-stack">{children}</div>
    </div>
  )
}
