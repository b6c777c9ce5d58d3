import type { ComponentProps, ReactNode } from 'react'

type CheckboxProps = Omit<ComponentProps<'input'>, 'type'> & { label: ReactNode }

/** A choice that takes effect with the form it is in. */
export function Checkbox({ label, ...input }: CheckboxProps) {
  return (
    <label className="flex min-h-11 cursor-pointer items-center gap-3 has-disabled:cursor-not-allowed has-disabled:opacity-55">
      <input type="checkbox" {...input} className="size-5.5 flex-none accent-primary" />
      <span className="min-w-0 flex-1">{label}</span>
    </label>
  )
}
