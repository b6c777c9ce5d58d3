import { FOCUSES, isProductMetric, metricsOf, type Focus, type Metric } from './metrics.ts'
import { PERIODS, type Period } from './periods.ts'
import type { Goal } from './plan-goal.ts'
import { POSITIONS, type PositionId } from './positions.ts'
import { keepUsableRatios } from './own-ratios.ts'
import type { Ratios } from './ratios.ts'

/** How far a member is in the wizard. `value` is the raw input, so a reload keeps even a half-typed number. */
export type Wizard = {
  position?: PositionId
  focus?: Focus
  metric?: Metric
  value: string
  period: Period
  ratios?: Partial<Ratios>
}

export type WizardStep = 'position' | 'focus' | 'metric' | 'amount'

export const EMPTY_WIZARD: Wizard = { value: '', period: 'month' }

export function stepOf(wizard: Wizard): WizardStep {
  if (!wizard.position) return 'position'
  if (!wizard.focus) return 'focus'
  return wizard.metric ? 'amount' : 'metric'
}

/**
 * Back links reset the later steps; Back to Position clears position, focus, metric, value and period
 * (product.md P51).
 */
export function backTo(step: Exclude<WizardStep, 'amount'>, wizard: Wizard): Wizard {
  if (step === 'position') return EMPTY_WIZARD
  const { position, focus } = wizard
  return step === 'focus' ? { ...EMPTY_WIZARD, position } : { ...EMPTY_WIZARD, position, focus }
}

/** Parses a shared or reloaded address. An unknown step, or one after a missing step, is dropped. */
export function readWizard(search: URLSearchParams): Wizard {
  const position = POSITIONS.find((each) => each.id === search.get('position'))?.id
  if (!position) return EMPTY_WIZARD
  const focus = FOCUSES.find((each) => each === search.get('focus'))
  if (!focus) return { ...EMPTY_WIZARD, position }
  const metric = metricsOf(focus).find((each) => each === search.get('solve'))
  if (!metric) return { ...EMPTY_WIZARD, position, focus }
  const period = PERIODS.find((each) => each === search.get('per')) ?? 'month'
  const value = (search.get('value') ?? '').slice(0, 30)
  return { position, focus, metric, value, period, ratios: readRatios(search.get('ratios')) }
}

export function writeWizard(wizard: Wizard): URLSearchParams {
  const search = new URLSearchParams()
  if (wizard.position) search.set('position', wizard.position)
  if (wizard.focus) search.set('focus', wizard.focus)
  if (!wizard.metric) return search
  search.set('solve', wizard.metric)
  if (wizard.value) search.set('value', wizard.value)
  search.set('per', wizard.period)
  // The actual figures rather than "mine": everyone who opens a shared goal must see the same results.
  const ratios = Object.entries(wizard.ratios ?? {})
  if (ratios.length > 0) search.set('ratios', ratios.map((pair) => pair.join(':')).join(','))
  return search
}

function readRatios(text: string | null): Partial<Ratios> | undefined {
  if (!text) return undefined
  const ratios: Record<string, number> = {}
  for (const pair of text.split(',')) {
    const [name = '', value] = pair.split(':')
    ratios[name] = Number(value)
  }
  return keepUsableRatios(ratios)
}

/** The wizard's address, which holds all of its state: also that no position is chosen, which `/calculator` leaves open. */
export function wizardPath(wizard: Wizard): string {
  return `/calculator?${writeWizard(wizard).toString() || 'position='}`
}

/** The address that reopens a saved goal. */
export function goalPath({ position, metric, value, period, ratios }: Goal): string {
  const focus = isProductMetric(metric) ? 'product' : 'building'
  return wizardPath({ position, focus, metric, value: String(value), period, ratios })
}
