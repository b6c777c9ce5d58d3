import { ChevronRight, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, type LinkProps } from 'react-router'
import { Chip } from './chip.tsx'
import { Spinner } from './spinner.tsx'

type TileProps = {
  picture: LucideIcon
  children: ReactNode
  /** A second line. */
  detail?: string
  /** What is new behind the link. */
  news?: string | false
  /** The most important of the tiles around it. */
  isPrimary?: boolean
}

const LOOK =
  'flex min-h-17 items-center gap-3.5 rounded-card border border-line bg-card px-4 py-3 text-left font-semibold shadow-card transition hover:bg-tint active:scale-99'

type TileLinkProps = TileProps & {
  to: LinkProps['to']
  /** For the screen it leads to. */
  state?: unknown
}

/** A link to another screen: icon tile, name, arrow. */
export function TileLink({ to, state, ...tile }: TileLinkProps) {
  return (
    <Link to={to} state={state} className={LOOK}>
      <Tile {...tile} />
    </Link>
  )
}

type TileButtonProps = TileProps & { isBusy: boolean; onClick: () => void }

/** A tile whose way must first be asked for; while busy it cannot be pressed again. */
export function TileButton({ isBusy, onClick, ...tile }: TileButtonProps) {
  return (
    <button
      type="button"
      onClick={onClick}
      disabled={isBusy}
      aria-busy={isBusy}
      className={`${LOOK} disabled:cursor-not-allowed`}
    >
      <Tile {...tile} isBusy={isBusy} />
    </button>
  )
}

function Tile({
  picture: Picture,
  children,
  detail,
  news,
  isPrimary,
  isBusy,
}: TileProps & { isBusy?: boolean }) {
  return (
    <>
      <span
        className={`grid size-11 flex-none place-items-center rounded-field ${isPrimary ? 'bg-primary text-primary-ink' : 'bg-tint text-primary'}`}
      >
        {isBusy ? <Spinner /> : <Picture aria-hidden="true" className="size-5.5" />}
      </span>
      <span className="min-w-0 flex-1 wrap-anywhere">
        {children}
        {detail && <span className="block text-note font-normal text-muted">{detail}</span>}
      </span>
      {news && <Chip tone="danger">{news}</Chip>}
      <ChevronRight aria-hidden="true" className="size-5 flex-none text-muted" />
    </>
  )
}
