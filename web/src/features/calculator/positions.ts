/** The five positions and the share of the premium each is paid (spec section 9, Calculator). */
export const POSITIONS = [
  { id: 'representative', rate: 0.25 },
  { id: 'district_leader', rate: 0.5 },
  { id: 'division_leader', rate: 0.6 },
  { id: 'regional_leader', rate: 0.7 },
  { id: 'regional_vp', rate: 1.1 },
] as const

export type PositionId = (typeof POSITIONS)[number]['id']

export function rateOf(position: PositionId): number {
  return POSITIONS.find((each) => each.id === position)!.rate
}

/** The position one promotion up; a Regional VP has none. */
export function nextPosition(position: PositionId): PositionId | undefined {
  const index = POSITIONS.findIndex((each) => each.id === position)
  return POSITIONS[index + 1]?.id
}
