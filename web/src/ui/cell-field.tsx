import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'
import { CONTROL_LOOK } from './field.tsx'

type CellFieldProps = Omit<ComponentProps<'input'>, 'type'> & {
  /** Shown above the field on a phone; from there on the column's heading says it. */
  label: string
  /** Which of many rows it belongs to, for screen readers. */
  row: string
  type?: 'text' | 'email'
}

/** A field in a row of an editable table. What is wrong with the row is said once, below it. */
export function CellField({ label, row, className, ...input }: CellFieldProps) {
  return (
    <label className={classNames('grid min-w-0 grid-cols-1 gap-1', className)}>
      <span aria-hidden="true" className="text-caption font-semibold text-muted sm:hidden">
        {label}
      </span>
      <input
        type="text"
        {...input}
        aria-label={`${label}, ${row}`}
        className={classNames(CONTROL_LOOK, 'h-11')}
      />
    </label>
  )
}
