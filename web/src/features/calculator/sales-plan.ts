import { COMMISSIONED_SHARE, DEFAULT_RATIOS, type SalesRatios } from './ratios.ts'

export type SalesMetric = 'appointments' | 'premium' | 'cash'

/** One month of the Product (Sales) funnel, unrounded. */
export type SalesPlan = {
  appointments: number
  plans: number
  sales: number
  premium: number
  cash: number
}

/**
 * Forwards from appointments: plans = 5/8, sales = 3/8, premium = 800 per sale, cash = 0.75 × premium × rate
 * (product.md P54). Example: a Regional VP with 40 appointments has 25 plans, 15 sales, 12,000 premium,
 * 9,900 cash.
 */
export function salesFromAppointments(
  appointments: number,
  rate: number,
  ratios: SalesRatios = DEFAULT_RATIOS,
): SalesPlan {
  const sales = appointments * ratios.salesPerAppointment
  const premium = sales * ratios.premiumPerSale
  return {
    appointments,
    plans: appointments * ratios.plansPerAppointment,
    sales,
    premium,
    cash: COMMISSIONED_SHARE * premium * rate,
  }
}

/**
 * Solving for premium: appointments = premium / 800 × 8 / 3 (product.md P55). Example: 4,000 a month needs
 * 13.33 appointments.
 */
function appointmentsForPremium(premium: number, ratios: SalesRatios = DEFAULT_RATIOS): number {
  return premium / ratios.premiumPerSale / ratios.salesPerAppointment
}

/**
 * Solving for cash: premium = cash / (0.75 × rate) (product.md P55). Example: a Representative who wants
 * 3,000 needs 16,000 premium.
 */
function premiumForCash(cash: number, rate: number): number {
  return cash / (COMMISSIONED_SHARE * rate)
}

/** The whole month for a goal in any of the three metrics. */
export function planSales(
  metric: SalesMetric,
  monthValue: number,
  rate: number,
  ratios: SalesRatios = DEFAULT_RATIOS,
): SalesPlan {
  if (metric === 'appointments') return salesFromAppointments(monthValue, rate, ratios)
  const premium = metric === 'cash' ? premiumForCash(monthValue, rate) : monthValue
  return salesFromAppointments(appointmentsForPremium(premium, ratios), rate, ratios)
}
