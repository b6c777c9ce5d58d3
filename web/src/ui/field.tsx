import { useId, type ReactNode } from 'react'

export type FieldTexts = {
  label: string
  /** The validation error; announced when it appears. */
  error?: string | undefined
  hint?: ReactNode
}

type FieldProps = FieldTexts & {
  children: (control: ControlProps) => ReactNode
}

/** The attributes that tie a control to its label, hint and error. */
export type ControlProps = {
  id: string
  'aria-invalid': boolean | undefined
  'aria-describedby': string | undefined
}

// `within`, because a time field contains a native button.
export const CONTROL_LOOK =
  'w-full rounded-field border border-field-line bg-card px-3.5 text-ink transition placeholder:text-muted ' +
  'focus-within:border-primary focus-within:outline-0 focus-within:ring-3 focus-within:ring-tint aria-invalid:border-danger disabled:opacity-60'

/** A label above a control, with its hint and error below. */
export function Field({ label, error, hint, children }: FieldProps) {
  const id = useId()
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className="grid grid-cols-1 content-start gap-1.5">
      <label htmlFor={id} className="text-note font-semibold">
        {label}
      </label>
      {children({
        id,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': describedBy || undefined,
      })}
      {hint && (
        <div id={`${id}-hint`} className="text-note text-muted">
          {hint}
        </div>
      )}
      <div
        id={`${id}-error`}
        aria-live="polite"
        className="text-note font-medium text-danger-text empty:absolute"
      >
        {error}
      </div>
    </div>
  )
}
