import { ChevronRight, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, type LinkProps } from 'react-router'
import { Chip } from './chip.tsx'

type TileLinkProps = Pick<LinkProps, 'to' | 'state'> & {
  picture: LucideIcon
  children: ReactNode
  /** A second line. */
  detail?: string
  /** What is new behind the link. */
  news?: string | false
  /** The most important of the links around it. */
  isPrimary?: boolean
}

/** A link to another screen: icon tile, name, arrow. */
export function TileLink({
  picture: Picture,
  children,
  detail,
  news,
  isPrimary,
  ...link
}: TileLinkProps) {
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
      <span className="min-w-0 flex-1 wrap-anywhere">
        {children}
        {detail && <span className="block text-note font-normal text-muted">{detail}</span>}
      </span>
      {news && <Chip tone="danger">{news}</Chip>}
      <ChevronRight aria-hidden="true" className="size-5 flex-none text-muted" />
    </Link>
  )
}
