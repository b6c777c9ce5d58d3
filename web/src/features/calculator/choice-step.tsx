import { ChevronRight } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Link, useLocation } from 'react-router'
import { m } from '#lib/messages/messages.js'
import { BackLinks } from './back-links.tsx'
import { wizardPath, type Wizard } from './goal-link.ts'

type Choice = { name: string; hint?: string; next: Wizard }

type Props = { step: number; question: string; choices: Choice[]; wizard: Wizard; note?: string }

/** One question of the wizard. Every answer is a link, so it can be opened, shared and undone with Back. */
export function ChoiceStep({ step, question, choices, wizard, note }: Props) {
  const heading = useFocusWhenArriving()
  return (
    <>
      <BackLinks wizard={wizard} />
      <p className="text-small text-muted">{m.calculator_step_of({ step })}</p>
      <h2 ref={heading} tabIndex={-1} className="-mt-2 text-heading font-bold outline-0">
        {question}
      </h2>
      <ul className="grid grid-cols-1 gap-2.5">
        {choices.map((choice) => (
          <li key={choice.name}>
            <Link
              to={wizardPath(choice.next)}
              className="flex min-h-16 items-center gap-3 rounded-card border border-line bg-card px-4 py-3 shadow-card transition hover:bg-tint active:scale-99"
            >
              <span className="min-w-0 flex-1 wrap-anywhere">
                <span className="block font-semibold">{choice.name}</span>
                {choice.hint && <span className="block text-small text-muted">{choice.hint}</span>}
              </span>
              <ChevronRight aria-hidden="true" className="size-5 flex-none text-muted" />
            </Link>
          </li>
        ))}
      </ul>
      {note && <p className="text-small text-muted">{note}</p>}
    </>
  )
}

/**
 * The clicked link is gone with its question; without this, keyboard focus would restart at the top of the
 * page.
 */
function useFocusWhenArriving() {
  const heading = useRef<HTMLHeadingElement>(null)
  const { key } = useLocation()
  useEffect(() => {
    const cameByLink = key !== 'default'
    if (cameByLink && document.activeElement === document.body) heading.current?.focus()
  }, [key])
  return heading
}
