/** Reports an error that nobody expected, so that admins learn of it. Its code is loaded by the first one. */
export function noteAppError(error: unknown) {
  // An app that cannot load code has nothing to report it with.
  void import('./report-app-error.ts').then(
    ({ reportAppError }) => reportAppError(error),
    () => undefined,
  )
}

/** Notes what no code of the app catches. */
export function noteUncaughtErrors() {
  addEventListener('error', ({ error }) => noteAppError(error))
  addEventListener('unhandledrejection', ({ reason }) => noteAppError(reason))
}
