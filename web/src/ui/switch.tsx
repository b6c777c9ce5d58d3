import { Check, X } from 'lucide-react'
import type { ComponentProps } from 'react'

type SwitchProps = Omit<ComponentProps<'input'>, 'type' | 'role'> & {
  label: string
  hideLabel?: boolean
}

/** An on/off switch that takes effect at once, built on a native checkbox for accessibility. */
export function Switch({ label, hideLabel, ...input }: SwitchProps) {
  return (
    <label className="inline-flex min-h-11 cursor-pointer items-center gap-3 has-disabled:cursor-not-allowed has-disabled:opacity-55">
      <span className={hideLabel ? 'sr-only' : 'flex-1'}>{label}</span>
      <input type="checkbox" role="switch" {...input} className="peer sr-only" />
      <span
        aria-hidden="true"
        className="relative h-7 w-12 flex-none rounded-full border border-transparent bg-field-line transition after:absolute after:top-0.5 after:left-0.5 after:size-5.5 after:rounded-full after:bg-white after:shadow-card after:transition peer-checked:bg-primary peer-checked:after:translate-x-5 peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-primary"
      />
    </label>
  )
}

type PillSwitchProps = Omit<SwitchProps, 'hideLabel'> & {
  checked: boolean
  /** What is shown of the label. */
  text: string
}

/** The same in the size of a chip, where several stand in one line. */
export function PillSwitch({ label, text, checked, ...input }: PillSwitchProps) {
  const Sign = checked ? Check : X
  return (
    <label className="inline-flex min-h-11 cursor-pointer items-center">
      <input
        type="checkbox"
        role="switch"
        aria-label={label}
        checked={checked}
        {...input}
        className="peer sr-only"
      />
      <span
        aria-hidden="true"
        className="inline-flex min-h-8 items-center gap-0.5 rounded-full border border-line px-1.5 text-caption sm:gap-1 sm:px-2.5 font-semibold text-muted transition peer-checked:border-transparent peer-checked:bg-tint peer-checked:text-primary peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-primary"
      >
        <Sign className="size-3.5" />
        {text}
      </span>
    </label>
  )
}
