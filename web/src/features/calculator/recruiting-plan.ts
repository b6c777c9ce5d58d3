import { DEFAULT_RATIOS, LEADERS_PER_RECRUIT, type RecruitingRatios } from './ratios.ts'

export type Market = 'warm' | 'cold'
export type RecruitingMetric = 'interviews' | 'recruits' | 'leaders'

/** One month of the Building (Recruiting) funnel, unrounded. Only a cold market has intros/follow-ups. */
export type RecruitingPlan = {
  interviews: number
  shows: number
  intros: number | undefined
  recruits: number
  leaders: number
}

/**
 * Warm market: 40% of scheduled interviews show, 33% of those become recruits. Cold market: 33% show, 66% of
 * those become intros/follow-ups, 33% of those become recruits. Future district leaders = 10% of recruits
 * (product.md P56 to P58). Example: warm 100 → 40 shows, 13 recruits, 1.3 leaders; cold 100 → 33, 22, 7,
 * 0.7.
 */
export function recruitingFromInterviews(
  market: Market,
  interviews: number,
  ratios: RecruitingRatios = DEFAULT_RATIOS,
): RecruitingPlan {
  if (market === 'warm') {
    const shows = interviews * ratios.warmShows
    const recruits = shows * ratios.warmRecruits
    return {
      interviews,
      shows,
      intros: undefined,
      recruits,
      leaders: recruits * LEADERS_PER_RECRUIT,
    }
  }
  const shows = interviews * ratios.coldShows
  const intros = shows * ratios.coldIntros
  const recruits = intros * ratios.coldRecruits
  return { interviews, shows, intros, recruits, leaders: recruits * LEADERS_PER_RECRUIT }
}

/** The inverse (product.md P58): interviews to schedule for a number of recruits. */
export function interviewsForRecruits(
  market: Market,
  recruits: number,
  ratios: RecruitingRatios = DEFAULT_RATIOS,
): number {
  return market === 'warm'
    ? recruits / ratios.warmRecruits / ratios.warmShows
    : recruits / ratios.coldRecruits / ratios.coldIntros / ratios.coldShows
}

/** The whole month for a goal in interviews, recruits or future district leaders. */
export function planRecruiting(
  market: Market,
  metric: RecruitingMetric,
  monthValue: number,
  ratios: RecruitingRatios = DEFAULT_RATIOS,
): RecruitingPlan {
  if (metric === 'interviews') return recruitingFromInterviews(market, monthValue, ratios)
  const recruits = metric === 'leaders' ? monthValue / LEADERS_PER_RECRUIT : monthValue
  return recruitingFromInterviews(market, interviewsForRecruits(market, recruits, ratios), ratios)
}
