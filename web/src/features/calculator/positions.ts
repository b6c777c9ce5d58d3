/** The five positions and each one's share of the premium (product.md P53). */
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

/** The next position up; a Regional VP has none. */
export function nextPosition(position: PositionId): PositionId | undefined {
  const index = POSITIONS.findIndex((each) => each.id === position)
  return POSITIONS[index + 1]?.id
}
