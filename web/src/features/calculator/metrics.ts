import type { Market, RecruitingMetric } from './recruiting-plan.ts'
import type { SalesMetric } from './sales-plan.ts'

/** Product (Sales) or Building (Recruiting), product.md P50. */
export const FOCUSES = ['product', 'building'] as const

export type Focus = (typeof FOCUSES)[number]

/** What a goal can be solved for. Building: the two markets, then their inverses (product.md P56 to P58). */
export const PRODUCT_METRICS = ['appointments', 'premium', 'cash'] as const satisfies SalesMetric[]
export const BUILDING_METRICS = [
  'warm',
  'cold',
  'warm_recruits',
  'cold_recruits',
  'warm_leaders',
  'cold_leaders',
] as const

export type ProductMetric = (typeof PRODUCT_METRICS)[number]
export type BuildingMetric = (typeof BUILDING_METRICS)[number]
export type Metric = ProductMetric | BuildingMetric

export function metricsOf(focus: Focus): readonly Metric[] {
  return focus === 'product' ? PRODUCT_METRICS : BUILDING_METRICS
}

export function isProductMetric(metric: Metric): metric is ProductMetric {
  return PRODUCT_METRICS.some((each) => each === metric)
}

export function marketOf(metric: BuildingMetric): Market {
  return metric.startsWith('warm') ? 'warm' : 'cold'
}

export function recruitingMetricOf(metric: BuildingMetric): RecruitingMetric {
  if (metric.endsWith('_recruits')) return 'recruits'
  return metric.endsWith('_leaders') ? 'leaders' : 'interviews'
}

/** The results line that holds the number the member entered. */
export function solvedStage(metric: Metric): ProductMetric | RecruitingMetric {
  return isProductMetric(metric) ? metric : recruitingMetricOf(metric)
}
