import { Link } from 'react-router'
import { m } from '#lib/messages/messages.js'
import { Chip } from '#ui/chip.tsx'
import { focusName, metricName, positionName } from './calculator-words.ts'
import { formatShare } from './format-figures.ts'
import { backTo, wizardPath, type Wizard } from './goal-link.ts'
import { rateOf } from './positions.ts'

/** The choices so far, as links back; each resets the steps after it (product.md P51). */
export function BackLinks({ wizard }: { wizard: Wizard }) {
  const { position, focus, metric } = wizard
  if (!position) return null
  return (
    <nav aria-label={m.calculator_steps()} className="grid gap-1">
      <div className="flex flex-wrap gap-x-4">
        <BackLink to={backTo('position', wizard)} text={m.calculator_back_to_position()} />
        {focus && <BackLink to={backTo('focus', wizard)} text={m.calculator_back_to_focus()} />}
        {metric && <BackLink to={backTo('metric', wizard)} text={m.calculator_back_to_metric()} />}
      </div>
      <div className="flex flex-wrap gap-2">
        <Chip>{`${positionName[position]()} · ${formatShare(rateOf(position))}`}</Chip>
        {focus && <Chip>{focusName[focus]()}</Chip>}
        {metric && <Chip>{metricName[metric]()}</Chip>}
      </div>
    </nav>
  )
}

function BackLink({ to, text }: { to: Wizard; text: string }) {
  return (
    <Link
      to={wizardPath(to)}
      className="inline-flex min-h-11 items-center text-note font-semibold text-primary underline decoration-line decoration-2 underline-offset-4 hover:decoration-primary"
    >
      {text}
    </Link>
  )
}
