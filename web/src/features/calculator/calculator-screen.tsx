import { useQuery } from '@tanstack/react-query'
import { Link2 } from 'lucide-react'
import { useEffect } from 'react'
import { Link, Navigate, useSearchParams } from 'react-router'
import { useUserId } from '#data/session/session.ts'
import { m } from '#lib/messages/messages.js'
import { buttonLook } from '#ui/button.tsx'
import { copyText } from '#ui/copy-text.ts'
import { IconButton } from '#ui/icon-button.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { Screen } from '#ui/screen.tsx'
import { AmountStep } from './amount-step.tsx'
import { focusHint, focusName, metricHint, metricName, positionName } from './calculator-words.ts'
import { ChoiceStep } from './choice-step.tsx'
import { formatShare } from './format-figures.ts'
import {
  backTo,
  EMPTY_WIZARD,
  goalPath,
  readWizard,
  stepOf,
  type Wizard,
  wizardPath,
  writeWizard,
} from './goal-link.ts'
import { currentGoalQuery } from './goal-queries.ts'
import { FOCUSES, metricsOf } from './metrics.ts'
import { POSITIONS, type PositionId } from './positions.ts'
import { ThisWeekCard } from './this-week-card.tsx'

const POSITION_KEY = 'calculator-position:'

/** Position, focus, what to solve for, then a number and its results. All state lives in the address. */
export function CalculatorScreen() {
  const [search, setSearch] = useSearchParams()
  const wizard = readWizard(search)
  const step = stepOf(wizard)
  const change = (next: Wizard) => setSearch(writeWizard(next), { replace: true })
  // Not that of a shared goal, which comes with everything chosen.
  const remembered = useRememberedPosition(wizard.focus ? undefined : wizard.position)
  if (search.size === 0 && remembered)
    return <Navigate replace to={wizardPath({ ...EMPTY_WIZARD, position: remembered })} />
  return (
    <Screen
      wide={step === 'amount'}
      header={
        <PageHeader
          title={m.calculator_title()}
          back={previous(wizard)}
          actions={step === 'amount' && <CopyLink />}
        />
      }
    >
      {step === 'amount' ? (
        // A new position or metric needs a new number, so the field starts empty.
        <AmountStep key={`${wizard.position} ${wizard.metric}`} wizard={wizard} onChange={change} />
      ) : (
        <>
          <Question wizard={wizard} />
          {!wizard.focus && <MyGoalLink />}
        </>
      )}
    </Screen>
  )
}

function Question({ wizard }: { wizard: Wizard }) {
  const { position, focus } = wizard
  if (!position) {
    const choices = POSITIONS.map(({ id, rate }) => ({
      name: positionName[id](),
      hint: formatShare(rate),
      next: { ...wizard, position: id },
    }))
    return (
      <ChoiceStep
        step={1}
        question={m.calculator_position_question()}
        choices={choices}
        wizard={wizard}
      />
    )
  }
  if (!focus) {
    const choices = FOCUSES.map((each) => ({
      name: focusName[each](),
      hint: focusHint[each](),
      next: { ...wizard, focus: each },
    }))
    return (
      <ChoiceStep
        key="focus"
        step={2}
        question={m.calculator_focus_question()}
        choices={choices}
        wizard={wizard}
      />
    )
  }
  const choices = metricsOf(focus).map((metric) => ({
    name: metricName[metric](),
    hint: metricHint[metric](),
    next: { ...wizard, metric },
  }))
  return (
    <ChoiceStep
      key="metric"
      step={3}
      question={m.calculator_metric_question()}
      choices={choices}
      wizard={wizard}
      {...(focus === 'building' ? { note: m.calculator_focus_building_note() } : {})}
    />
  )
}

function previous(wizard: Wizard): string {
  if (wizard.metric) return wizardPath(backTo('metric', wizard))
  if (wizard.focus) return wizardPath(backTo('focus', wizard))
  return wizard.position ? wizardPath(backTo('position', wizard)) : '/home'
}

function CopyLink() {
  const copy = () => void copyText(location.href, m.calculator_link_copied())
  return <IconButton label={m.calculator_copy_link()} icon={<Link2 />} onClick={copy} />
}

/** Links from the wizard's first questions to the saved goal. Renders nothing without one. */
function MyGoalLink() {
  const { data: goal } = useQuery(currentGoalQuery())
  if (!goal) return null
  return (
    <section aria-label={m.calculator_goal_title()} className="mt-4 grid gap-3.5">
      <ThisWeekCard />
      <Link to={goalPath(goal)} className={buttonLook('ghost', 'lg')}>
        {m.calculator_goal_open()}
      </Link>
    </section>
  )
}

/** The position that the member last chose on this device; the one that is given is remembered from now on. */
function useRememberedPosition(chosen: PositionId | undefined): PositionId | undefined {
  const key = POSITION_KEY + useUserId()
  useEffect(() => {
    if (chosen) localStorage.setItem(key, chosen)
  }, [key, chosen])
  return POSITIONS.find(({ id }) => id === localStorage.getItem(key))?.id
}
