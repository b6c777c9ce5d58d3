import type { ComponentProps, ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { CONTROL_LOOK, Field, type FieldTexts } from './field.tsx'

type FigureFieldProps = FieldTexts &
  Omit<ComponentProps<'input'>, 'id' | 'className'> & {
    /** Stands before the figure, such as the sign of a currency. */
    sign?: string | false
    /** What the figure counts by; beside it where there is room. */
    beside?: ReactNode
  }

/** A figure that is the point of the screen, typed large. */
export function FigureField({ label, error, hint, sign, beside, ...input }: FigureFieldProps) {
  return (
    <Field label={label} error={error} hint={hint}>
      {(control) => (
        <div
          className={classNames(
            'grid gap-2.5',
            Boolean(beside) && 'min-[380px]:grid-cols-[1fr_auto]',
          )}
        >
          <div className="relative">
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
              className={`${CONTROL_LOOK} h-13 text-figure font-bold tabular-nums ${sign ? 'pl-8!' : ''}`}
            />
          </div>
          {beside && <div className="min-[380px]:w-50">{beside}</div>}
        </div>
      )}
    </Field>
  )
}
