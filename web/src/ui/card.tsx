import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'

/** A plain surface for one thing. */
export function Card({ className, ...rest }: ComponentProps<'div'>) {
  return (
    <div
      {...rest}
      className={classNames('rounded-card border border-line bg-card p-4 shadow-card', className)}
    />
  )
}
