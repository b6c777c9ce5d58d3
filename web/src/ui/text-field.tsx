import type { ComponentProps } from 'react'
import { CONTROL_LOOK, Field, type FieldTexts } from './field.tsx'
import { classNames } from './class-names.ts'

type TextFieldProps = FieldTexts & Omit<ComponentProps<'input'>, 'id'>

/** A one-line text field; accepts all props of an input. */
export function TextField({ label, error, hint, className, ...input }: TextFieldProps) {
  return (
    <Field label={label} error={error} hint={hint}>
      {(control) => (
        <input
          type="text"
          {...input}
          {...control}
          className={classNames(CONTROL_LOOK, 'h-12.5', className)}
        />
      )}
    </Field>
  )
}
