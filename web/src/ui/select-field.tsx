import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { CONTROL_LOOK, Field, type FieldTexts } from './field.tsx'

type SelectFieldProps = FieldTexts &
  Omit<ComponentProps<'select'>, 'id'> & { options: { value: string; label: string }[] }

/** A native select. */
export function SelectField({ label, error, hint, options, ...select }: SelectFieldProps) {
  return (
    <Field label={label} error={error} hint={hint}>
      {(control) => (
        <div className="relative">
          <select
            {...select}
            {...control}
            className={`${CONTROL_LOOK} h-12.5 appearance-none pr-11 text-ellipsis`}
          >
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </select>
          <ChevronDown
            aria-hidden="true"
            className="pointer-events-none absolute inset-y-0 right-3.5 my-auto size-5 text-muted"
          />
        </div>
      )}
    </Field>
  )
}
