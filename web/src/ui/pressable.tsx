import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'

/**
 * What can be pressed and is no button to the eye: a picture, a quote, a title. It brings the press itself; what stands in
 * it brings its look.
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
