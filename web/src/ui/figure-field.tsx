import type { ComponentProps, ReactNode } from 'react'
import { CONTROL_LOOK, Field, type FieldTexts } from './field.tsx'

type FigureFieldProps = FieldTexts &
  Omit<ComponentProps<'input'>, 'id' | 'className'> & {
    /** Shown before the figure, such as a currency sign. */
    sign?: string | false
    /** The figure's period; next to it where it fits. */
    addon?: ReactNode
  }

/** The screen's main figure, typed large. */
export function FigureField({ label, error, hint, sign, addon, ...input }: FigureFieldProps) {
  return (
    <Field label={label} error={error} hint={hint}>
      {(control) => (
        // The addon goes below where the figure would be cut off, whatever the text size.
        <div className="flex flex-wrap gap-2.5">
          <div className="relative flex-1 basis-55">
            {sign && (
              <span
                aria-hidden="true"
                className="pointer-events-none absolute inset-y-0 left-3.5 grid place-items-center text-figure font-bold"
              >
                {sign}
              </span>
            )}
            <input
              inputMode="decimal"
              autoComplete="off"
              {...input}
              {...control}
              className={`${CONTROL_LOOK} min-h-13 text-figure font-bold tabular-nums ${sign ? 'pl-[1.35em]!' : ''}`}
            />
          </div>
          {addon && <div className="min-w-0 flex-1 basis-50">{addon}</div>}
        </div>
      )}
    </Field>
  )
}
