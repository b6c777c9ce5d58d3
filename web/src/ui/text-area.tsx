import type { ComponentProps } from 'react'
import { CONTROL_LOOK, Field, type FieldTexts } from './field.tsx'
import { classNames } from './class-names.ts'

type TextAreaProps = FieldTexts & Omit<ComponentProps<'textarea'>, 'id'>

/** A multi-line text field. */
export function TextArea({ label, error, hint, className, rows = 3, ...area }: TextAreaProps) {
  return (
    <Field label={label} error={error} hint={hint}>
      {(control) => (
        <textarea
          rows={rows}
          {...area}
          {...control}
          className={classNames(CONTROL_LOOK, 'py-3', className)}
        />
      )}
    </Field>
  )
}
