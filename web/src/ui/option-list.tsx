import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

type OptionListProps = { id: string; label: string; children: ReactNode }

/** What a search field offers while typing. The field keeps focus and names the active option (`aria-activedescendant`). */
export function OptionList({ id, label, children }: OptionListProps) {
  return (
    <div id={id} role="listbox" aria-label={label} className="grid grid-cols-1">
      {children}
    </div>
  )
}

export function OptionGroup({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div role="group" aria-label={title} className="grid grid-cols-1 pb-3">
      <p aria-hidden="true" className="px-2 pt-1 pb-1 text-note font-semibold text-muted">
        {title}
      </p>
      {children}
    </div>
  )
}

type OptionProps = {
  id: string
  isActive: boolean
  onSelect: () => void
  onPoint: () => void
  picture: ReactNode
  children: ReactNode
}

export function Option({ id, isActive, onSelect, onPoint, picture, children }: OptionProps) {
  return (
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      onClick={onSelect}
      // Not on entering: the list scrolls below a resting pointer.
      onMouseMove={onPoint}
      // The field keeps focus.
      onMouseDown={(event) => event.preventDefault()}
      className={classNames(
        'flex min-h-12 scroll-my-8 cursor-pointer items-center gap-3 rounded-field px-2 py-1.5 active:bg-tint [&_svg]:size-5 [&_svg]:flex-none',
        isActive && 'bg-tint',
      )}
    >
      <span aria-hidden="true" className="grid w-10 flex-none place-items-center text-primary">
        {picture}
      </span>
      <span className="min-w-0 flex-1">{children}</span>
    </div>
  )
}
