import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'

/**
 * Something pressable that doesn't look like a button: a picture, a quote, a title. It has the press
 * behavior; its content has the look.
 */
export function Pressable({ className, ...rest }: ComponentProps<'button'>) {
  return (
    <button
      type="button"
      {...rest}
      className={classNames(
        'transition enabled:active:scale-98 disabled:cursor-default',
        className,
      )}
    />
  )
}
