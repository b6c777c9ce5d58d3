import { DEFAULT_RATIOS, type RatioName, type Ratios } from './ratios.ts'

/** Totals of what a member has logged. `premium` sums only the sales that have a premium. */
export type ActivityTotals = {
  appointments: number
  plans: number
  sales: number
  premium: number
  salesWithPremium: number
  interviews: { warm: number; cold: number }
  shows: { warm: number; cold: number }
  intros: number
  recruits: { warm: number; cold: number }
}

/** A smaller sample says more about luck than about the rep. */
const LOGS_NEEDED = 20
/** A ratio from one or two results would swing wildly with the next one. */
const RESULTS_NEEDED = 3

/** Excludes only nonsense: a share of 0 has no inverse, and nobody shows up more often than invited. */
const LARGEST: Ratios = {
  plansPerAppointment: 5,
  salesPerAppointment: 5,
  premiumPerSale: 1_000_000,
  warmShows: 1,
  warmRecruits: 1,
  coldShows: 1,
  coldIntros: 1,
  coldRecruits: 1,
}

/** The member's own ratios, each included only once enough is logged. */
export function ownRatios(totals: ActivityTotals): Partial<Ratios> {
  const { appointments, plans, sales, interviews, shows, intros, recruits } = totals
  return {
    ...measured('plansPerAppointment', plans, appointments),
    ...measured('salesPerAppointment', sales, appointments),
    ...(totals.salesWithPremium >= RESULTS_NEEDED && totals.premium > 0
      ? { premiumPerSale: Math.round(totals.premium / totals.salesWithPremium) }
      : {}),
    ...measured('warmShows', shows.warm, interviews.warm),
    ...measured('warmRecruits', recruits.warm, shows.warm),
    ...measured('coldShows', shows.cold, interviews.cold),
    ...measured('coldIntros', intros, shows.cold),
    ...measured('coldRecruits', recruits.cold, intros),
  }
}

/** Drops unknown or out-of-bounds ratios, such as those of a hand-edited address. */
export function keepUsableRatios(ratios: Record<string, unknown>): Partial<Ratios> | undefined {
  const usable = Object.entries(ratios).filter(([name, value]) => isUsable(name, value))
  return usable.length > 0 ? Object.fromEntries(usable) : undefined
}

function measured(name: RatioName, results: number, tries: number): Partial<Ratios> {
  if (tries < LOGS_NEEDED || results < RESULTS_NEEDED) return {}
  // A few dozen entries support two digits at most, and they keep a shared address readable.
  return { [name]: Math.min(Math.round((results / tries) * 100) / 100, LARGEST[name]) || 0.01 }
}

function isUsable(name: string, value: unknown): boolean {
  if (!Object.hasOwn(DEFAULT_RATIOS, name) || typeof value !== 'number') return false
  return value >= 0.001 && value <= LARGEST[name as RatioName]
}
