import { m } from '#lib/messages/messages.js'
import { formatMoney, formatShare } from './format-figures.ts'
import { isProductMetric, marketOf, type Metric } from './metrics.ts'
import { rateOf, type PositionId } from './positions.ts'
import { COMMISSIONED_SHARE, LEADERS_PER_RECRUIT, type Ratios } from './ratios.ts'

type Props = { metric: Metric; position: PositionId; ratios: Ratios }

/** The formulas' assumptions, in words and with the figures currently in use. */
export function Assumptions(props: Props) {
  return (
    <details className="rounded-card border border-line bg-card px-4 py-1 shadow-card">
      <summary className="flex min-h-11 cursor-pointer items-center font-semibold">
        {m.calculator_assumptions()}
      </summary>
      <ul className="list-disc space-y-1.5 pb-4 pl-5 text-small text-muted">
        {assumptionsOf(props).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </details>
  )
}

function assumptionsOf({ metric, position, ratios }: Props): string[] {
  return [
    m.calculator_assume_month(),
    ...(isProductMetric(metric) ? salesSentences(position, ratios) : []),
    ...(isProductMetric(metric) ? [] : recruitingSentences(marketOf(metric), ratios)),
    m.calculator_assume_rounding(),
  ]
}

function salesSentences(position: PositionId, ratios: Ratios): string[] {
  return [
    m.calculator_assume_plans({ share: formatShare(ratios.plansPerAppointment) }),
    m.calculator_assume_sales({ share: formatShare(ratios.salesPerAppointment) }),
    m.calculator_assume_premium({ amount: formatMoney(ratios.premiumPerSale) }),
    m.calculator_assume_cash({
      commissioned: String(COMMISSIONED_SHARE),
      rate: formatShare(rateOf(position)),
    }),
  ]
}

function recruitingSentences(market: 'warm' | 'cold', ratios: Ratios): string[] {
  const steps =
    market === 'warm'
      ? [
          m.calculator_assume_warm_shows({ share: formatShare(ratios.warmShows) }),
          m.calculator_assume_warm_recruits({ share: formatShare(ratios.warmRecruits) }),
        ]
      : [
          m.calculator_assume_cold_shows({ share: formatShare(ratios.coldShows) }),
          m.calculator_assume_cold_intros({ share: formatShare(ratios.coldIntros) }),
          m.calculator_assume_cold_recruits({ share: formatShare(ratios.coldRecruits) }),
        ]
  return [
    ...steps,
    m.calculator_assume_leaders({ share: formatShare(LEADERS_PER_RECRUIT) }),
    m.calculator_focus_building_note(),
  ]
}
