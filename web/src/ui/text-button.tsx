import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'

const TONES = {
  primary: 'font-semibold text-primary hover:underline',
  muted: 'font-medium text-muted hover:underline',
  danger: 'font-semibold text-danger-text underline underline-offset-2',
}

type TextButtonProps = Omit<ComponentProps<'button'>, 'className'> & { tone?: keyof typeof TONES }

/** A button within a line of text. The line keeps its height; the touch target stays full size. */
export function TextButton({ tone = 'primary', ...rest }: TextButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={classNames(
        '-my-3 min-h-target min-w-target px-1.5 transition disabled:no-underline disabled:opacity-55',
        TONES[tone],
      )}
    />
  )
}
