import { Link, type LinkProps } from 'react-router'

/** A link to another screen within a line of text. The line keeps its height; the touch target stays full size. */
export function TextLink(props: Omit<LinkProps, 'className'>) {
  return (
    <Link
      {...props}
      className="-my-3 inline-flex min-h-target items-center font-semibold text-primary underline underline-offset-2"
    />
  )
}
