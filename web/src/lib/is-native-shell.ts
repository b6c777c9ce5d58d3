/** True inside the Android and iOS apps, whose shell puts its bridge there before the page's own code runs. */
export function isNativeShell(): boolean {
  const { Capacitor } = window as { Capacitor?: { isNativePlatform?: () => boolean } }
  return Capacitor?.isNativePlatform?.() ?? false
}
