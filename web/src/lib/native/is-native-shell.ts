/** True inside the Android and iOS apps, whose shell injects its bridge before the page's code runs. */
export function isNativeShell(): boolean {
  const { Capacitor } = window as { Capacitor?: { isNativePlatform?: () => boolean } }
  return Capacitor?.isNativePlatform?.() ?? false
}
