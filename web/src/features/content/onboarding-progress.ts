/** How far a member is with New Rep Start, and what comes next. */
export type OnboardingProgress<Item> = { done: number; total: number; next: Item | undefined }

export function onboardingProgress<Item extends { id: string }>(
  items: Item[],
  doneIds: string[],
): OnboardingProgress<Item> {
  const open = items.filter(({ id }) => !doneIds.includes(id))
  return { done: items.length - open.length, total: items.length, next: open[0] }
}
