import { Check } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'

type CheckboxProps = Omit<ComponentProps<'input'>, 'type' | 'className'> & { label: ReactNode }

/** A choice that takes effect when its form is submitted. */
export function Checkbox({ label, ...input }: CheckboxProps) {
  return (
    <label className="flex min-h-11 cursor-pointer items-center gap-3 has-disabled:cursor-not-allowed has-disabled:opacity-55">
      <span className="relative grid size-5.5 flex-none place-items-center text-primary-ink">
        {/* Custom-drawn because the native box has its own gray in dark mode. The tick inherits its color,
           so forced colors work. */}
        <input
          {...input}
          type="checkbox"
          className="peer absolute inset-0 cursor-[inherit] appearance-none rounded-mark border-2 border-field-line bg-card transition checked:border-primary checked:bg-primary"
        />
        <Check
          aria-hidden="true"
          strokeWidth={3}
          className="pointer-events-none relative size-4 opacity-0 peer-checked:opacity-100"
        />
      </span>
      <span className="min-w-0 flex-1 wrap-anywhere">{label}</span>
    </label>
  )
}
