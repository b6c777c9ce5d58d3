import { isNativeShell } from '#lib/is-native-shell.ts'

/** The number on the app's icon; none for 0. Not every browser and launcher has one, and that is no failure. */
export async function showAppBadge(count: number): Promise<void> {
  if (isNativeShell()) {
    const { Badge } = await import('@capawesome/capacitor-badge')
    return count > 0 ? Badge.set({ count }) : Badge.clear()
  }
  // Older browsers lack both, and some refuse them to an app that is not installed.
  const { setAppBadge, clearAppBadge } = navigator as Partial<Navigator>
  await (count > 0 ? setAppBadge?.call(navigator, count) : clearAppBadge?.call(navigator))
}
