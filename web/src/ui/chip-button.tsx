import { X } from 'lucide-react'
import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'

const LOOKS = {
  toggle:
    'min-h-7 border-line bg-card px-2 tabular-nums aria-pressed:border-primary aria-pressed:bg-tint aria-pressed:font-semibold',
  filter:
    'min-h-target border-line bg-card px-3 font-semibold aria-pressed:border-primary aria-pressed:bg-tint',
  remove:
    'min-h-8 border-transparent bg-tint pr-2 pl-3 font-semibold text-primary hover:brightness-95',
}

type ChipButtonProps = Omit<ComponentProps<'button'>, 'className'> & {
  /** `toggle` and the larger `filter` switch on and off (`aria-pressed`); `remove` removes the chip. */
  variant: keyof typeof LOOKS
}

/** A chip that can be pressed. */
export function ChipButton({ variant, children, ...rest }: ChipButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={classNames(
        'inline-flex max-w-full items-center gap-1 rounded-full border text-note transition active:scale-95',
        LOOKS[variant],
      )}
    >
      {variant === 'remove' ? (
        <>
          <span className="min-w-0 truncate">{children}</span>
          <X aria-hidden="true" className="size-4 flex-none" />
        </>
      ) : (
        children
      )}
    </button>
  )
}
