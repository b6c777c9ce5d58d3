import type { ReactNode } from 'react'

type EmptyStateProps = {
  /** A lucide icon; the scene around it is drawn here, so that all empty states look alike. */
  picture: ReactNode
  title: string
  text?: string
  /** It fills the screen, so its title is the screen's heading. */
  isPageTitle?: boolean
  /** The next step, usually a button. */
  action?: ReactNode
}

/** Nothing here yet, with a suggestion of what to do next. */
export function EmptyState({ picture, title, text, action, isPageTitle }: EmptyStateProps) {
  const Title = isPageTitle ? 'h1' : 'h2'
  return (
    <div className="grid grid-cols-1 justify-items-center gap-2 px-6 py-10 text-center">
      <div
        aria-hidden="true"
        className="relative mb-1 grid h-34 w-48 max-w-full place-items-center"
      >
        <Scene />
        <span className="absolute size-20 translate-x-2 rotate-8 rounded-card border border-line bg-card opacity-70" />
        <span className="relative grid size-20 -rotate-4 place-items-center rounded-card border border-line bg-card text-primary shadow-card [&_svg]:size-9">
          {picture}
        </span>
      </div>
      <Title className="text-lead font-bold">{title}</Title>
      {text && <p className="max-w-xs text-balance text-muted">{text}</p>}
      {action && <div className="mt-3">{action}</div>}
    </div>
  )
}

/** Soft ground, a hill, the pennant and a few dots. */
function Scene() {
  return (
    <svg viewBox="0 0 192 136" className="absolute inset-0 size-full">
      <path d="M96 8c38-6 74 18 80 54s-22 62-62 66-88-2-98-42S52 14 96 8Z" className="fill-tint" />
      <g fill="none" strokeWidth="2.5" strokeLinecap="round" className="stroke-primary opacity-35">
        <path d="M8 116h30M46 116h8M140 120h36M128 120h4" />
      </g>
      <path d="M160 58V24" strokeWidth="3" strokeLinecap="round" className="stroke-primary" />
      <path d="M161.5 25h17l-4.5 5 4.5 5h-17z" className="fill-danger" />
      <circle cx="30" cy="40" r="5" className="fill-success opacity-70" />
      <circle cx="44" cy="24" r="3" className="fill-warning opacity-80" />
      <circle cx="152" cy="96" r="4" className="fill-primary opacity-40" />
    </svg>
  )
}
