/** The formulas' default assumptions. Literal 0.33, 0.66 and 0.40, not thirds (product.md P60). */
export type SalesRatios = {
  plansPerAppointment: number
  salesPerAppointment: number
  premiumPerSale: number
}

export type RecruitingRatios = {
  warmShows: number
  warmRecruits: number
  coldShows: number
  coldIntros: number
  coldRecruits: number
}

export type Ratios = SalesRatios & RecruitingRatios

export const DEFAULT_RATIOS: Ratios = {
  plansPerAppointment: 5 / 8,
  salesPerAppointment: 3 / 8,
  premiumPerSale: 800,
  warmShows: 0.4,
  warmRecruits: 0.33,
  coldShows: 0.33,
  coldIntros: 0.66,
  coldRecruits: 0.33,
}

export type RatioName = keyof Ratios

/** The share of the premium that commission is paid on; set by the company, so never a rep's own figure. */
export const COMMISSIONED_SHARE = 0.75

/** Future district leaders = 10% of recruits; too rare for a rep's own ratio to mean much. */
export const LEADERS_PER_RECRUIT = 0.1
