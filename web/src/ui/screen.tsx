import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

type ScreenProps = {
  children: ReactNode
  /** The screen's own PageHeader. */
  header?: ReactNode
  /** Uses the room of a large display instead of one narrow column. */
  wide?: boolean
}

/** One column of up to 640 px with the screen's header and its content. */
export function Screen({ header, children, wide }: ScreenProps) {
  return (
    <div
      className={classNames(
        'mx-auto flex w-full flex-col px-page pt-safe pb-8 lg:pt-4',
        wide ? 'max-w-wide' : 'max-w-column',
      )}
    >
      {header}
      <div className="flex animate-appear flex-col gap-stack">{children}</div>
    </div>
  )
}
