/** A member's New Rep Start progress and next step. */
export type OnboardingProgress<Item> = { done: number; total: number; next: Item | undefined }

export function onboardingProgress<Item extends { id: string }>(
  items: Item[],
  doneIds: string[],
): OnboardingProgress<Item> {
  const open = items.filter(({ id }) => !doneIds.includes(id))
  return { done: items.length - open.length, total: items.length, next: open[0] }
}
