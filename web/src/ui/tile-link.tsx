import { ChevronRight, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, type LinkProps } from 'react-router'

type TileLinkProps = Pick<LinkProps, 'to' | 'state'> & {
  picture: LucideIcon
  children: ReactNode
  /** The one step that matters most among its neighbours. */
  isPrimary?: boolean
}

/** A way to another screen: its picture on a tile, its name, an arrow. */
export function TileLink({ picture: Picture, children, isPrimary, ...link }: TileLinkProps) {
  return (
    <Link
      {...link}
      className="flex min-h-17 items-center gap-3.5 rounded-card border border-line bg-card px-4 py-3 font-semibold shadow-card transition hover:bg-tint active:scale-99"
    >
      <span
        className={`grid size-11 flex-none place-items-center rounded-field ${isPrimary ? 'bg-primary text-primary-ink' : 'bg-tint text-primary'}`}
      >
        <Picture aria-hidden="true" className="size-5.5" />
      </span>
      <span className="min-w-0 flex-1 wrap-anywhere">{children}</span>
      <ChevronRight aria-hidden="true" className="size-5 flex-none text-muted" />
    </Link>
  )
}
