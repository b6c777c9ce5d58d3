import { ChevronRight } from 'lucide-react'
import { Link } from 'react-router'
import { m } from '#lib/messages/messages.js'
import { focusName, metricName, positionName } from './calculator-words.ts'
import { backTo, wizardPath, type Wizard } from './goal-link.ts'

/** The choices so far in one line, as links back; each resets the steps after it (product.md P51). */
export function BackLinks({ wizard }: { wizard: Wizard }) {
  const { position, focus, metric } = wizard
  if (!position) return null
  return (
    <nav aria-label={m.calculator_steps()}>
      <ol className="flex flex-wrap items-center gap-x-1">
        <BackLink
          to={backTo('position', wizard)}
          label={m.calculator_back_to_position()}
          text={positionName[position]()}
        />
        {focus && (
          <BackLink
            to={backTo('focus', wizard)}
            label={m.calculator_back_to_focus()}
            text={focusName[focus]()}
          />
        )}
        {metric && (
          <BackLink
            to={backTo('metric', wizard)}
            label={m.calculator_back_to_metric()}
            text={metricName[metric]()}
          />
        )}
      </ol>
    </nav>
  )
}

function BackLink({ to, label, text }: { to: Wizard; label: string; text: string }) {
  return (
    <li className="group flex items-center gap-1">
      <ChevronRight aria-hidden="true" className="size-4 flex-none text-muted group-first:hidden" />
      <Link
        to={wizardPath(to)}
        title={label}
        aria-label={`${label}: ${text}`}
        className="inline-flex min-h-target min-w-target items-center text-note font-semibold text-primary underline decoration-line decoration-2 underline-offset-4 hover:decoration-primary"
      >
        {text}
      </Link>
    </li>
  )
}
